// SPDX-License-Identifier: BSD-3-Clause
#include "sim/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/temporary_folder.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/exchange.hpp"
#include "sim/machine.hpp"

namespace breakeven::sim {
namespace {

constexpr Ticks kMicro = 1'000'000'000;

std::string noise_refusal(const std::string& noise) {
  try {
    static_cast<void>(parse_noise(noise));
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Noise, StretchesWorkByTheDetoursThatItMeets) {
  // Two detours, from 10 to 13 us and from 20 to 25 us, again and again.
  const Noise noise{.recorded = {{10 * kMicro, 13 * kMicro}, {20 * kMicro, 25 * kMicro}}};
  for (int rank = 0; rank < 50; ++rank) {
    Detours whole{noise, 50};
    Detours steps{noise, 50};
    // 17 us of each 25 are the program's: 170 us of it take ten periods, or end where one begins.
    const Ticks end = whole.end_of(rank, 0, 170 * kMicro);
    EXPECT_GE(end, 250 * kMicro - 8 * kMicro) << rank;
    EXPECT_LE(end, 250 * kMicro) << rank;
    Ticks now = 0;
    for (int step = 0; step < 170; ++step) now = steps.end_of(rank, now, kMicro);
    EXPECT_EQ(now, end) << rank;
  }
}

TEST(Noise, DoesNotTouchWorkBetweenDetours) {
  Detours detours{{.recorded = {{999 * kMicro, 1000 * kMicro}}}, 1};
  const Ticks met = detours.end_of(0, 0, 2000 * kMicro) - 2000 * kMicro;
  EXPECT_GE(met, 2 * kMicro);
  EXPECT_LE(met, 3 * kMicro);
}

TEST(Noise, OfADistributionTakesItsShare) {
  // 1000 detours of 100 us in a second that has none: a second of work takes 1.1 s.
  const Noise noise = parse_noise("exponential:rate_per_s=1000,mean_s=1e-4,seed=7");
  constexpr int kRanks = 100;
  Detours detours{noise, kRanks};
  double sum = 0;
  for (int rank = 0; rank < kRanks; ++rank) {
    sum += seconds_of(detours.end_of(rank, 0, ticks_of({1}))).value;
  }
  EXPECT_NEAR(sum / kRanks, 1.1, 0.003);  // five standard deviations
}

TEST(Noise, GivesTheSameForASeedAndOtherTimesForOthers) {
  const kernels::Problem problem{.collective = Collective::allreduce, .procs = 64};
  const kernels::Exchange exchange = kernels::exchange_of(
      kernels::find_algorithm(problem.collective, "recursive_doubling"), problem);
  const LogGP quiet{.L = {2500e-9}, .o = {1500e-9}, .g = {1000e-9}, .G = {6e-9}};
  const auto done = [&](std::uint64_t seed) {
    return done_times(exchange, {.problem = problem, .count = 8, .datatype = Datatype::byte}, quiet,
                      {.noise = {.rate_per_s = 1e5, .mean = {1e-6}, .seed = seed}});
  };
  EXPECT_EQ(done(1), done(1));
  EXPECT_NE(done(1), done(2));
  EXPECT_GE(std::ranges::min(done(1)), 6 * 5542 * (kMicro / 1000));
}

TEST(Noise, IsReadFromATrace) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "noise.csv";
  write_file(file, "# begin_s,duration_s\n0.001,2e-6\n0.002, 3e-6\n");
  const Noise noise = parse_noise("trace:" + file + ",seed=3");
  ASSERT_EQ(noise.recorded.size(), 2);
  EXPECT_EQ(noise.recorded[1].begin, 2000 * kMicro);
  EXPECT_EQ(noise.recorded[1].end, 2003 * kMicro);
  EXPECT_EQ(noise.seed, 3);
  write_file(file, "0.001,2e-6\n0.002\n");
  EXPECT_NE(noise_refusal("trace:" + file).find(":2: '0.002' is no detour"), std::string::npos);
  write_file(file, "0.001,2e-3\n0.002,1e-6\n");
  EXPECT_NE(noise_refusal("trace:" + file).find(":2: a detour that begins before"),
            std::string::npos);
}

TEST(Noise, IsRefusedWithWhatIsPossible) {
  EXPECT_NE(noise_refusal("gauss:mean_s=1").find("not 'gauss'; possible: exponential:rate_per_s"),
            std::string::npos);
  EXPECT_NE(noise_refusal("exponential:rate=1").find("not 'rate=1'"), std::string::npos);
  EXPECT_NE(noise_refusal("exponential:rate_per_s=1000").find("above 0"), std::string::npos);
  EXPECT_NE(noise_refusal("trace:none.csv").find("none.csv"), std::string::npos);
}

}  // namespace
}  // namespace breakeven::sim
