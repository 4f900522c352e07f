// SPDX-License-Identifier: BSD-3-Clause
// The ranks' clocks are set apart by known offsets and drifts; every method has to find them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "executor/communicator.hpp"
#include "harness/worker/clock/offset.hpp"
#include "harness/worker/clock/synchronise.hpp"

namespace breakeven::worker {
namespace {

// Ranks may take turns on few cores that other work keeps busy: messages take milliseconds then.
// The bounds of a reading hold nevertheless. Whole methods have wide tolerances in one of a few
// attempts, but the clocks are so far apart that a lost drift or a wrong sign is far more.
constexpr double kOffset = 3.5;       // seconds, from rank to rank
constexpr double kDrift = 0.02;       // from rank to rank
constexpr double kClose = 2e-3;       // seconds: an error of a good clock right away
constexpr double kCloseDrift = 3e-3;  // seconds per second: of its drift
constexpr int kAttempts = 5;

class Clocks : public ::testing::Test {
 protected:
  [[nodiscard]] LocalClock clock(Timer timer, double drift) const {
    return LocalClock{timer, {.offset_s = kOffset * me, .drift = drift * me}};
  }
  /// The worst rank's error now and in five seconds, as parts of what is allowed.
  [[nodiscard]] double worst_error(const GlobalClock& clock) const {
    constexpr std::int64_t kSecond = 1'000'000'000;
    double worst = 0;
    for (const int later : {0, 5}) {
      const double error = true_error(clock, monotonic_ns() + later * kSecond, world);
      worst = std::max(worst, std::abs(error) / (kClose + kCloseDrift * later));
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, world.get());
    return worst;
  }
  template <typename Synchronise>
  void expect_true(const Synchronise& synchronise) const {
    double worst = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < kAttempts && worst > 1; ++attempt) {
      worst = worst_error(synchronise());
    }
    EXPECT_LE(worst, 1) << "times the allowed error";
  }
  void expect_true(ClockSync method, const LocalClock& local) const {
    SCOPED_TRACE(kClockSyncs.of(method));
    expect_true([&] { return synchronise(method, local, world); });
  }

  const executor::Communicator world{MPI_COMM_WORLD};
  const int me = world.me().value;
};

TEST_F(Clocks, AreReadAsWellAsTheReadingSays) {
  const LocalClock local = clock(Timer::monotonic, kDrift);
  const GlobalClock own{local};
  std::int64_t moment = monotonic_ns();
  MPI_Bcast(&moment, 1, MPI_INT64_T, 0, world.get());
  const double offset_then = true_error(own, moment, world);
  const auto read = [&] { return read_offset(own, Rank{0}, 5, world); };
  double least = me == 0 ? 0 : 1;  // error, in round trips
  for (int reading = 0; reading < 30; ++reading) {
    const OffsetReading found = served_in_turn(own, world, read);
    if (me == 0) continue;
    const double since = (found.at - local.at(moment)) / (1 + kDrift * me);
    const double wrong = found.offset - (offset_then + kDrift * me * since);
    // The quicker clock's share of a round trip on the slower one is what drift adds.
    EXPECT_LE(std::abs(wrong), (0.5 + kDrift * me) * found.round_trip + 1e-8);
    least = std::min(least, std::abs(wrong) / found.round_trip);
  }
  if (world.procs() == 2) {  // each on a core of its own: both ways take the same time
    EXPECT_LT(least, 0.25);
  }
}

TEST_F(Clocks, OfWhichOnlyOffsetsAreKnownAreRightWithoutDrift) {
  const LocalClock local = clock(Timer::monotonic, 0);
  expect_true(ClockSync::skampi, local);
}

TEST_F(Clocks, AreRightWithOffsetAndDrift) {
  for (const ClockSync method : {ClockSync::jk, ClockSync::hca, ClockSync::hca2, ClockSync::hca3}) {
    expect_true(method, clock(Timer::monotonic, kDrift));
  }
}

TEST_F(Clocks, AreRightByMpiWtimeToo) { expect_true(ClockSync::hca3, clock(Timer::wtime, kDrift)); }

/// Pairs of ranks stand for nodes, each with one clock.
TEST_F(Clocks, OfNodesAreRightByTheirFirstRanks) {
  for (const Timer timer : {Timer::monotonic, Timer::wtime}) {
    const int node = me / 2;
    const LocalClock local{timer, {.offset_s = kOffset * node, .drift = kDrift * node}};
    MPI_Comm pair = MPI_COMM_NULL;
    MPI_Comm_split(world.get(), node, me, &pair);
    expect_true([&] { return GlobalClock{local, synchronise_two_level(local, world, pair)}; });
    MPI_Comm_free(&pair);
  }
}

TEST_F(Clocks, OfOneNodeAgreeWithoutMeasuring) {
  const LocalClock local{Timer::monotonic};
  const GlobalClock clock = synchronise(ClockSync::two_level, local, world);
  EXPECT_NEAR(true_error(clock, monotonic_ns(), world), 0, 1e-9);
}

TEST_F(Clocks, AreLocalOnesWhenNotSynchronised) {
  const LocalClock local = clock(Timer::monotonic, kDrift);
  const GlobalClock none = synchronise(ClockSync::none, local, world);
  EXPECT_FALSE(none.synchronised());
  EXPECT_EQ(none.global(1.5), 1.5);
  EXPECT_TRUE(synchronise(ClockSync::hca3, local, world).synchronised());
}

TEST_F(Clocks, ReadTheSameTimeNowAndAfterwards) {
  for (const Timer timer : {Timer::monotonic, Timer::wtime}) {
    const LocalClock local = clock(timer, kDrift);
    const double before = local.now();
    const double at = local.at(monotonic_ns());
    EXPECT_LT(before - 1e-6, at);
    EXPECT_LT(at, local.now() + 1e-6);
  }
}

TEST(ClockModels, GoThereAndBackAndChain) {
  const ClockModel a_b{.slope = 1e-3, .intercept = 2};
  const ClockModel b_c{.slope = -2e-3, .intercept = 5};
  const double a = 100;
  EXPECT_DOUBLE_EQ(a_b.own(a_b.other(a)), a);
  EXPECT_DOUBLE_EQ(chained(a_b, b_c).other(a), b_c.other(a_b.other(a)));
}

TEST(Fit, IsExactOnALineAndBelievesQuickReadingsMore) {
  std::vector<OffsetReading> readings;
  for (int i = 0; i < 10; ++i) {
    const double at = 1e6 + 0.01 * i;
    readings.push_back({.at = at, .offset = 3 + 2e-5 * (at - 1e6), .round_trip = 1e-6});
  }
  const auto offset_at = [&](double at) { return at - fit_line(readings).other(at); };
  EXPECT_NEAR(offset_at(1e6 + 10), 3 + 2e-4, 1e-8);
  readings[9].offset += 1e-3;
  readings[9].round_trip = 1e-3;
  EXPECT_NEAR(offset_at(1e6 + 0.05), 3 + 1e-6, 1e-8);
}

}  // namespace
}  // namespace breakeven::worker
