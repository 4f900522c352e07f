// SPDX-License-Identifier: BSD-3-Clause
// Ranks come to a repetition at different times and leave together, or know that they didn't.
#include <gtest/gtest.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "harness/worker/clock/synchronise.hpp"
#include "harness/worker/start/scheduled_start.hpp"
#include "harness/worker/start/start.hpp"

namespace breakeven::worker {
namespace {

constexpr int kBlock = 6;       // repetitions
constexpr Seconds kStep{2e-3};  // more work for each rank than for the one before
constexpr std::array kByClock{SyncMethod::window, SyncMethod::round_time};

void work(Seconds time) { std::this_thread::sleep_for(std::chrono::duration<double>{time.value}); }

class Starts : public ::testing::Test {
 protected:
  /// Of each repetition of one block: whether all ranks held it valid, and how far apart on the
  /// global clock they began it, in seconds.
  struct Block {
    int valid = 0;
    std::vector<double> apart{};  ///< of the valid ones
  };

  /// One block, in which every rank works for so long in each repetition.
  Block run_block(Start& start, Seconds expected, Seconds own_work) const {
    std::vector<int> valid;
    std::vector<double> begin;
    start.prepare(expected);
    for (int repetition = 0; repetition < kBlock; ++repetition) {
      const bool began = start.wait();
      begin.push_back(clock.now());
      work(own_work);
      valid.push_back(began && start.in_time(local.now()) ? 1 : 0);
    }
    std::vector<double> last = begin;
    MPI_Allreduce(MPI_IN_PLACE, valid.data(), kBlock, MPI_INT, MPI_MIN, world.get());
    MPI_Allreduce(MPI_IN_PLACE, begin.data(), kBlock, MPI_DOUBLE, MPI_MIN, world.get());
    MPI_Allreduce(MPI_IN_PLACE, last.data(), kBlock, MPI_DOUBLE, MPI_MAX, world.get());
    Block block;
    for (std::size_t i = 0; i < valid.size(); ++i) {
      if (valid[i] == 0) continue;
      ++block.valid;
      block.apart.push_back(last[i] - begin[i]);
    }
    return block;
  }
  /// Blocks until most of one is valid; that has to come.
  Block run_until_valid(Start& start, Seconds expected, Seconds own_work) const {
    constexpr int kMostBlocks = 12;
    for (int block = 0; block < kMostBlocks; ++block) {
      const Block result = run_block(start, expected, own_work);
      if (2 * result.valid > kBlock) return result;
    }
    ADD_FAILURE() << "no valid repetitions after " << kMostBlocks << " blocks";
    return {.valid = 0, .apart = {0}};
  }

  const executor::Communicator world{MPI_COMM_WORLD};
  const int me = world.me().value;
  const LocalClock local{Timer::monotonic};
  const GlobalClock clock = synchronise(ClockSync::two_level, local, world);
};

TEST_F(Starts, ByBarriersAreAlwaysInTime) {
  for (const SyncMethod method : {SyncMethod::dissemination, SyncMethod::library}) {
    const auto start = make_start(method, world, GlobalClock{local});
    const Block block = run_block(*start, kStep, {kStep.value * me});
    EXPECT_EQ(block.valid, kBlock) << kSyncMethods.of(method);
    // Without waiting the delays would add up: 6 repetitions x 5 ms for each further rank.
    EXPECT_LT(block.apart.back(), kBlock * kStep.value) << kSyncMethods.of(method);
  }
}

TEST_F(Starts, ByAClockAreTogether) {
  for (const SyncMethod method : kByClock) {
    const auto start = make_start(method, world, clock);
    // Of the best alone: at others, ranks may have lost their core once they had begun in time.
    double apart = kStep.value;  // as ranks are that do not wait for each other, or more
    for (int block = 0; block < 4 && apart > kStep.value / 2; ++block) {
      const Seconds expected{kStep.value * world.procs()};
      const Block result = run_until_valid(*start, expected, {kStep.value * me});
      apart = std::min(apart, *std::ranges::min_element(result.apart));
    }
    EXPECT_LT(apart, kStep.value / 2) << kSyncMethods.of(method);
  }
}

/// Clocks that are set apart set the ranks apart: no barrier nor broadcast holds them together.
TEST_F(Starts, ByAClockGoByIt) {
  constexpr double kBehind = 0.01;
  const GlobalClock behind{local, chained(clock.model(), {.slope = 0, .intercept = kBehind * me})};
  for (const SyncMethod method : kByClock) {
    const auto start = make_start(method, world, behind);
    const double apart = kBehind * (world.procs() - 1);
    const Block block = run_until_valid(*start, {apart}, {0});
    const auto wrong = [&](double found) { return std::abs(found - apart); };
    const double best = *std::ranges::min_element(block.apart, {}, wrong);
    EXPECT_NEAR(best, apart, kBehind / 2) << kSyncMethods.of(method);
  }
}

TEST_F(Starts, ByAClockMakeDoWithAnEstimateFarTooShort) {
  for (const SyncMethod method : kByClock) {
    const auto start = make_start(method, world, clock);
    run_until_valid(*start, {kStep.value / 10}, kStep);
  }
}

TEST_F(Starts, InWindowsGetLongerOnesAfterABlockOfOverruns) {
  constexpr Seconds kExpected{0.01};
  const auto start = make_start(SyncMethod::window, world, clock);
  run_block(*start, kExpected, {3 * kExpected.value});
  start->prepare(kExpected);
  static_cast<void>(start->wait());
  EXPECT_TRUE(start->in_time(local.now() + 8 * kExpected.value));
}

TEST_F(Starts, InWindowsSayWhoBeganLateOrEndedLate) {
  const int last = world.procs() - 1;
  const auto start = make_start(SyncMethod::window, world, clock);
  start->prepare(kStep);
  if (me == last) work({1});
  const bool began = start->wait();
  EXPECT_FALSE(began && me == last);
  EXPECT_FALSE(start->in_time(local.now() + 100));
  EXPECT_TRUE(start->in_time(local.now() - 100));
}

/// The last rank's clock runs at double speed from the moment when the start was made: an
/// announced time has passed there.
TEST_F(Starts, ByAnnouncementsSayWhoBeganLate) {
  const int last = world.procs() - 1;
  if (last == 0) GTEST_SKIP() << "one process is never late by its own clock";
  const LocalClock fast{Timer::monotonic, {.offset_s = 0, .drift = me == last ? 1.0 : 0.0}};
  const GlobalClock right_now{fast, {.slope = 0, .intercept = fast.now() - clock.now()}};
  const auto start = make_start(SyncMethod::round_time, world, right_now);
  work({1.5});
  start->prepare(kStep);
  const bool began = start->wait();
  EXPECT_FALSE(began && me == last);
}

TEST_F(Starts, ByAClockNeedOne) {
  for (const SyncMethod method : kByClock) {
    EXPECT_THROW(static_cast<void>(make_start(method, world, GlobalClock{local})), UsageError);
  }
}

/// Takes the core from a rank: a signal comes whose handler takes a while.
TEST_F(Starts, AtAScheduledStartKnowWhoLostItsCore) {
  ScheduledStart scheduled_start{world, clock};
  EXPECT_EQ(scheduled_start.keep(clock.now() - 1), Kept::arrived_late);
  std::signal(SIGALRM, [](int) { work({0.5}); });
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 20'000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  EXPECT_EQ(scheduled_start.keep(clock.now() + 0.1), Kept::left_late);
  std::signal(SIGALRM, SIG_DFL);
}

TEST(Margin, GrowsWithWhatIsLostAndComesBack) {
  Margin margin;
  const double least = margin.factor();
  margin.learn(8, 8);
  EXPECT_EQ(margin.factor(), 8 * least);
  margin.learn(3, 8);
  EXPECT_EQ(margin.factor(), 16 * least);
  margin.learn(1, 8);
  EXPECT_EQ(margin.factor(), 16 * least);
  margin.learn(0, 0);
  EXPECT_EQ(margin.factor(), 16 * least);
  margin.learn(0, 8);
  EXPECT_LT(margin.factor(), 16 * least);
  for (int block = 0; block < 100; ++block) margin.learn(0, 8);
  EXPECT_EQ(margin.factor(), least);
}

}  // namespace
}  // namespace breakeven::worker
