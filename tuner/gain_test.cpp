// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/gain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tables/testing.hpp"

namespace breakeven::tuner {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using tables::testing::allreduce;

constexpr double kLeast = 0.0001;

std::map<Case, Gain> gains(const std::vector<Measurement>& measurements) {
  return expected_gains(contests_of(measurements), kLeast);
}

Case at(const std::string& algorithm, std::int64_t bytes = 8) {
  return allreduce(algorithm, 4, bytes);
}

TEST(Gain, IsTheExpectedLossOfNotChoosingTheCandidate) {
  const auto measurements =
      join({launches(at("ring"), {1, 1.1, 0.9, 1}), launches(at("bruck"), {1.1, 1, 1, 0.9})});
  const auto contests = contests_of(measurements);
  const auto& candidates = contests.begin()->second.begin()->second.candidates;
  const stats::Belief behind = candidates[1].log_time - candidates[0].log_time;
  double sum = 0;  // over 8 standard deviations
  constexpr int kSteps = 10000;
  for (int i = 0; i < kSteps; ++i) {
    const double z = -8 + 16 * (i + 0.5) / kSteps;
    const double d = behind.mean + z * behind.deviation();
    sum += std::max(0.0, -d) * std::exp(-z * z / 2) * 16 / kSteps;
  }
  EXPECT_NEAR(gains(measurements).at(candidates[1].times.what).expected,
              sum / std::sqrt(2 * std::numbers::pi), 1e-6);
  EXPECT_EQ(gains(measurements).at(candidates[0].times.what).expected, 0);
}

TEST(Gain, OfOneThatIsFarBehindIsNone) {
  const auto found =
      gains(join({launches(at("ring"), {1, 1.01, 0.99}), launches(at("bruck"), {2, 2.02, 1.98})}));
  EXPECT_LT(found.at(at("bruck")).expected, 1e-9);
  EXPECT_EQ(found.at(at("bruck")).launches, 0);
}

TEST(Gain, AfterOneLaunchIsInThoseThatAreNear) {
  const auto found = gains(
      join({launches(at("ring"), {1}), launches(at("bruck"), {1.05}), launches(at("tree"), {3})}));
  EXPECT_GT(found.at(at("bruck")).expected, kLeast);
  EXPECT_GE(found.at(at("bruck")).launches, 1);
  EXPECT_LT(found.at(at("tree")).expected, kLeast);
}

TEST(Gain, OfNativeIsItsOwn) {
  const auto found =
      gains(join({launches(at("ring"), {1, 1.1, 0.9}), launches(at("native"), {1, 0.9, 1.1})}));
  const bool ring_first = found.at(at("ring")).expected == 0;
  EXPECT_GT(found.at(at(ring_first ? "native" : "ring")).expected, kLeast);
  EXPECT_TRUE(found.at(at("ring")).reference || !ring_first);
  EXPECT_TRUE(found.at(at("native")).reference);
}

TEST(Gain, IsInfiniteUntilTheFastestAndNativeHaveThreeLaunches) {
  const auto found = gains(join({launches(at("ring"), {1, 1}), launches(at("native"), {3, 3}),
                                 launches(at("bruck"), {9, 9})}));
  EXPECT_TRUE(std::isinf(found.at(at("ring")).expected));
  EXPECT_TRUE(std::isinf(found.at(at("native")).expected));
  EXPECT_LT(found.at(at("bruck")).expected, kLeast);
}

TEST(Gain, OneDisturbedLaunchDoesNotEndWhoIsNearAtTheNextSize) {
  std::vector<Measurement> all;
  for (const std::int64_t bytes : {8, 16, 32, 64}) {
    const double disturbed = bytes == 8 ? 2 : 1;
    all = join({all, launches(at("ring", bytes), {1.2}), launches(at("native", bytes), {1.3}),
                launches(at("bruck", bytes), {disturbed}), launches(at("tree", bytes), {2.2})});
  }
  const auto found = gains(all);
  EXPECT_GT(found.at(at("bruck", 8)).expected, kLeast);
  EXPECT_LT(found.at(at("tree", 8)).expected, kLeast);
}

TEST(Gain, EveryKindOfTableHasAFastestOfItsOwn) {
  const auto found =
      gains(join({launches(at("openmpi:ring"), {1, 1.03, 0.97}), launches(at("ring"), {2, 2.1}),
                  launches(at("bruck"), {2.15, 2.05}), launches(at("tree"), {9, 9})}));
  EXPECT_TRUE(std::isinf(found.at(at("ring")).expected));
  EXPECT_GT(found.at(at("bruck")).expected, kLeast);
  EXPECT_LT(found.at(at("tree")).expected, kLeast);
}

TEST(Gain, CountsTheDoublingsThatASizeStandsFor) {
  const auto apart = [](std::int64_t larger) {
    std::vector<Measurement> all;
    for (const std::int64_t bytes : {std::int64_t{8}, larger}) {
      all = join({all, launches(at("ring", bytes), {1, 1.1, 0.9}),
                  launches(at("bruck", bytes), {1.1, 1, 0.9})});
    }
    const auto found = gains(all);  // the fastest of the two gains nothing
    return std::max(found.at(at("bruck", 8)).expected, found.at(at("ring", 8)).expected);
  };
  // Half a doubling below, and half of one or of three above.
  EXPECT_GT(apart(64), 1.9 * apart(16));
}

TEST(Gain, CountsByAProgramsTime) {
  std::vector<Measurement> all;
  for (const std::int64_t bytes : {8, 64}) {
    all = join({all, launches(at("native", bytes), {3, 3.1, 2.9}),
                launches(at("ring", bytes), {1, 1.1, 0.9}),
                launches(at("bruck", bytes), {1.1, 1, 0.9})});
  }
  const Contests contests = contests_of(all);
  const ProgramTime time{{{Collective::allreduce, {4, 1, 4}, {64}}, {1}}};
  const auto alike = expected_gains(contests, kLeast);
  const auto weighed = expected_gains(contests, kLeast, {}, time);
  for (const char* algorithm : {"ring", "bruck"}) {
    // Each size stands for two of four doublings.
    EXPECT_DOUBLE_EQ(weighed.at(at(algorithm, 8)).expected,
                     0.1 * alike.at(at(algorithm, 8)).expected);
    EXPECT_DOUBLE_EQ(weighed.at(at(algorithm, 64)).expected,
                     (0.1 + 0.9 * 2) * alike.at(at(algorithm, 64)).expected);
  }
  EXPECT_GT(alike.at(at("ring", 64)).expected + alike.at(at("bruck", 64)).expected, kLeast);
}

}  // namespace
}  // namespace breakeven::tuner
