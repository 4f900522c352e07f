// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/bcast/algorithms.hpp"

namespace breakeven::tuner {
namespace {

const sim::Machine kPostal{sim::Postal{.alpha = {1e-6}}};  // a message takes 1 us

ReplayedKind pairs(int stride, double cost_s) {
  return {.layout = {.procs = 2, .procs_per_node = 2},
          .stride = stride,
          .message = {8},
          .algorithm = {&kernels::allreduce::recursive_doubling},
          .machine = &kPostal,
          .cost = {cost_s}};
}

tables::Step call(int kind, double before_s, double apart_s = 0) {
  return {.call = kind, .before_s = before_s, .apart_s = apart_s};
}

tables::Step loop(double turns, std::vector<tables::Step> body) {
  return {.turns = turns, .body = std::move(body)};
}

TEST(Replay, WaitsForTheLateRank) {
  // One rank begins 3 us before the mean, one 3 us after: the first waits 6 us, then both take 2.
  const std::vector<ReplayedKind> kinds{pairs(1, 2e-6)};
  const auto times = Replay{2, kinds}.play({call(0, 10e-6, 3e-6)});
  EXPECT_NEAR(times[0].value, (8e-6 + 2e-6) / 2, 1e-12);
}

TEST(Replay, OfTwoCommunicatorsOverlapsAsTheirRanksDo) {
  // Rows {0, 1}, {2, 3}, then columns {0, 2}, {1, 3}.
  const std::vector<ReplayedKind> kinds{pairs(1, 2e-6), pairs(2, 5e-6)};
  std::vector<double> begins(4);
  const ReplayObserver observer{
      .computes = [&](int rank,
                      Seconds time) { begins[static_cast<std::size_t>(rank)] += time.value; },
      .calls = [](auto&&...) {}};
  const std::vector<tables::Step> steps{call(0, 10e-6, 3e-6), call(1, 0)};
  Replay replay{4, kinds};
  const auto observed = replay.play(steps, &observer);
  const double row0 = std::max(begins[0], begins[1]) + 2e-6;
  const double row1 = std::max(begins[2], begins[3]) + 2e-6;
  ASSERT_GT(std::abs(row0 - row1), 1e-7);
  const double in_rows = row0 - (begins[0] + begins[1]) / 2 + row1 - (begins[2] + begins[3]) / 2;
  const double column = std::max(row0, row1) + 5e-6;
  EXPECT_NEAR(observed[0].value, in_rows, 1e-12);
  EXPECT_NEAR(observed[1].value, 2 * (column - (row0 + row1) / 2), 1e-12);
  EXPECT_EQ(replay.play(steps), observed);
}

TEST(Replay, IsAsLongWithFewTurnsPlayed) {
  const std::vector<ReplayedKind> kinds{pairs(1, 2e-6), pairs(2, 5e-6)};
  const std::vector<tables::Step> steps{
      loop(1000, {loop(3, {call(0, 10e-6, 3e-6)}), call(1, 1e-6, 1e-6)})};
  const ReplayObserver observer{.computes = [](auto&&...) {}, .calls = [](auto&&...) {}};
  Replay replay{4, kinds};
  const auto all = replay.play(steps, &observer);
  const auto few = replay.play(steps);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    EXPECT_NEAR(few[i].value, all[i].value, 1e-9 * all[i].value);
}

TEST(Replay, LetsARootGoOn) {
  ReplayedKind bcast = pairs(1, 1e-6);
  bcast.collective = Collective::bcast;
  bcast.layout = {.procs = 4, .procs_per_node = 4};
  bcast.algorithm = {&kernels::bcast::binomial};
  bcast.cost = {2e-6};
  // 0 sends to 2, then 0 to 1 and 2 to 3: done after 2, 2, 2 and 2 us.
  const auto times = Replay{4, {{bcast}}}.play({call(0, 0)});
  EXPECT_NEAR(times[0].value, 2e-6, 1e-12);
}

TEST(Replay, IsShortenedInItsLoops) {
  bool whole = false;
  const std::vector<tables::Step> steps{call(0, 0), loop(1000, {loop(100, {call(0, 0)})})};
  EXPECT_EQ(shortened(steps, 1e6, whole), steps);
  EXPECT_TRUE(whole);
  const auto part = shortened(steps, 1000, whole);
  EXPECT_FALSE(whole);
  EXPECT_EQ(part[1].turns, 31);
  EXPECT_EQ(part[1].body[0].turns, 31);
}

}  // namespace
}  // namespace breakeven::tuner
