// SPDX-License-Identifier: BSD-3-Clause
#include "core/effect_size.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/error.hpp"

namespace breakeven {
namespace {

using Values = std::vector<double>;

// Of the 3 x 2 pairs, 3 > 2 and 5 > 2, 5 > 4 are won, and 2 = 2 is half won.
TEST(ProbabilityOfSuperiority, CountsThePairsWon) {
  EXPECT_DOUBLE_EQ(probability_of_superiority(Values{5, 2, 3}, Values{2, 4}), 3.5 / 6);
  EXPECT_DOUBLE_EQ(probability_of_superiority(Values{2, 4}, Values{5, 2, 3}), 2.5 / 6);
  EXPECT_EQ(probability_of_superiority(Values{1}, Values{0}), 1);
  EXPECT_EQ(probability_of_superiority(Values{1}, Values{1}), 0.5);
  EXPECT_EQ(probability_of_superiority(Values{1, 1, 1}, Values{1, 1}), 0.5);
}

TEST(CliffsDelta, GoesFromMinusOneToOne) {
  EXPECT_EQ(cliffs_delta(Values{1, 2}, Values{3, 4, 5}), -1);
  EXPECT_EQ(cliffs_delta(Values{3}, Values{3}), 0);
  EXPECT_NEAR(cliffs_delta(Values{5, 2, 3}, Values{2, 4}), 1.0 / 6, 1e-15);
}

// Differences 3, 1, 0, -2, 1, -1: the middle ones are 0 and 1. Ratios 1.25, 2.5, 0.5, 1, 0.75, 1.5.
TEST(HodgesLehmann, IsTheMedianOverAllPairs) {
  EXPECT_EQ(hodges_lehmann_shift(Values{5, 2, 3}, Values{2, 4}), 0.5);
  EXPECT_EQ(hodges_lehmann_ratio(Values{5, 2, 3}, Values{2, 4}), 1.125);
  EXPECT_EQ(hodges_lehmann_shift(Values{7}, Values{4}), 3);
  EXPECT_EQ(hodges_lehmann_ratio(Values{6, 6, 6}, Values{4, 4}), 1.5);
}

TEST(EffectSizes, OfNothingAreErrors) {
  EXPECT_THROW((void)probability_of_superiority({}, Values{1}), Error);
  EXPECT_THROW((void)cliffs_delta(Values{1}, {}), Error);
  EXPECT_THROW((void)hodges_lehmann_shift({}, Values{1}), Error);
  EXPECT_THROW((void)hodges_lehmann_ratio(Values{1}, {}), Error);
}

}  // namespace
}  // namespace breakeven
