// SPDX-License-Identifier: BSD-3-Clause
#include "stats/paired_cases.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/error.hpp"

namespace breakeven::stats {
namespace {

using ByLaunch = std::map<std::int64_t, Seconds>;

TEST(LogRatios, AreOfTheLaunchesThatHaveBothAboveZero) {
  const ByLaunch above{{0, {2}}, {1, {20}}, {2, {0}}, {3, {1}}, {4, {5}}};
  const ByLaunch below{{0, {1}}, {1, {10}}, {2, {1}}, {3, {0}}, {5, {5}}};
  const std::map<std::int64_t, double> expected{{0, std::log(2)}, {1, std::log(2)}};
  EXPECT_EQ(log_ratios(above, below), expected);
}

// The launches differ tenfold, and only 0 to 2 have all three.
const CaseTimes kFirst{.by_launch = {{0, {1}}, {1, {10}}, {2, {1}}, {3, {9}}}};
const CaseTimes kHalf{.by_launch = {{0, {0.5}}, {1, {5}}, {2, {0.5}}, {4, {9}}}};
const CaseTimes kUneven{.by_launch = {{0, {1}}, {1, {20}}, {2, {4}}, {3, {1}}, {4, {1}}}};

TEST(PairedCases, AreComparedInTheLaunchesThatHaveAll) {
  const std::array cases{&kFirst, &kHalf, &kUneven};
  const PairedCases paired{cases};
  EXPECT_EQ(paired.launches(), 3);
  EXPECT_EQ(paired.fastest(), 1);
  EXPECT_NEAR(paired.ratio(0, 1, 0.95).median, 2, 1e-12);
  EXPECT_NEAR(paired.ratio(2, 0, 0.95).median, 2, 1e-12);  // 1, 2 and 4
  EXPECT_EQ(paired.ratio(2, 0, 0.95).count, 3);
}

// The residuals of 0 0 0, -a -a -a and 0 a 2a, a = log 2: squares of a (1/3, 0, 1/3) twice and of
// a (2/3, 0, 2/3), 4/3 a^2 in all with 4 degrees of freedom, a third of a^2. 0 to 1 is without
// scatter of its own and takes twice that; t is 2.776445 with 4 degrees of freedom.
TEST(PairedCases, VaryAsMuchAsAllDoTogetherAtLeast) {
  const std::array cases{&kFirst, &kHalf, &kUneven};
  const Estimate ratio = PairedCases{cases}.ratio(0, 1, 0.95);
  EXPECT_NEAR(std::log(ratio.high / 2), 2.776445 * std::log(2) * std::sqrt(2.0 / 3 / 3), 1e-6);
  EXPECT_NEAR(ratio.low * ratio.high, 4, 1e-12);
}

TEST(PairedCases, OfOneLaunchHaveNoInterval) {
  const CaseTimes once{.by_launch = {{0, {1}}}};
  const std::array cases{&kFirst, &once};
  EXPECT_THROW((void)PairedCases(cases).ratio(0, 1, 0.95), Error);
}

}  // namespace
}  // namespace breakeven::stats
