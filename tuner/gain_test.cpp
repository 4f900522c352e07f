// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/gain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tuner/testing.hpp"

namespace breakeven::tuner {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using testing::allreduce;

std::map<Case, Gain> gains(const std::vector<Measurement>& measurements) {
  return expected_gains(contests_of(measurements));
}

Case at(const std::string& algorithm, std::int64_t bytes = 8) {
  return allreduce(algorithm, 4, bytes);
}

TEST(Gain, IsTheExpectedLossOfNotChoosingTheCandidate) {
  const auto measurements =
      join({launches(at("ring"), {1, 1.1, 0.9, 1}), launches(at("bruck"), {1.1, 1, 1, 0.9})});
  const auto contests = contests_of(measurements);
  const Contest& contest = contests.begin()->second.begin()->second;
  const stats::Belief difference = contest.candidates[1].log_time - contest.candidates[0].log_time;
  ASSERT_NEAR(difference.mean, 0, 0.01);
  // The mean of a normal distribution's half: deviation / sqrt(2 pi).
  const double half = difference.deviation() / std::sqrt(2 * std::numbers::pi);
  EXPECT_NEAR(gains(measurements).at(at("bruck")).expected, half - difference.mean / 2, 1e-4);
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
  EXPECT_GT(found.at(at("bruck")).expected, kLeastGain);
  EXPECT_GE(found.at(at("bruck")).launches, 1);
  EXPECT_LT(found.at(at("tree")).expected, kLeastGain);
}

TEST(Gain, OfTheFastestAndOfNativeIsThatOfTheBestOfTheOthers) {
  const auto found =
      gains(join({launches(at("ring"), {1, 1.03, 0.97}), launches(at("bruck"), {1.02, 1, 1.04}),
                  launches(at("native"), {3, 3, 3.01})}));
  EXPECT_EQ(found.at(at("ring")).expected, found.at(at("bruck")).expected);
  EXPECT_EQ(found.at(at("native")).expected, found.at(at("bruck")).expected);
}

TEST(Gain, IsInfiniteUntilTheFastestAndNativeHaveThreeLaunches) {
  const auto found = gains(join({launches(at("ring"), {1, 1}), launches(at("native"), {3, 3}),
                                 launches(at("bruck"), {9, 9})}));
  EXPECT_TRUE(std::isinf(found.at(at("ring")).expected));
  EXPECT_TRUE(std::isinf(found.at(at("native")).expected));
  EXPECT_LT(found.at(at("bruck")).expected, kLeastGain);
}

TEST(Gain, EveryKindOfTableHasAFastestOfItsOwn) {
  const auto found =
      gains(join({launches(at("openmpi:ring"), {1, 1.03, 0.97}), launches(at("ring"), {2, 2.1}),
                  launches(at("bruck"), {2.15, 2.05}), launches(at("tree"), {9, 9})}));
  EXPECT_TRUE(std::isinf(found.at(at("ring")).expected));
  EXPECT_GT(found.at(at("bruck")).expected, kLeastGain);
  EXPECT_LT(found.at(at("tree")).expected, kLeastGain);
}

TEST(Gain, CountsTheDoublingsThatASizeStandsFor) {
  const auto apart = [](std::int64_t larger) {
    std::vector<Measurement> all;
    for (const std::int64_t bytes : {std::int64_t{8}, larger}) {
      all = join({all, launches(at("ring", bytes), {1, 1.1, 0.9}),
                  launches(at("bruck", bytes), {1.1, 1, 0.9})});
    }
    return gains(all).at(at("bruck", 8)).expected;
  };
  // Half a doubling below, and half of one or of three above.
  EXPECT_GT(apart(64), 1.9 * apart(16));
}

}  // namespace
}  // namespace breakeven::tuner
