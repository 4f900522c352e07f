// SPDX-License-Identifier: BSD-3-Clause
#include "stats/quantile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.hpp"

namespace breakeven::stats {
namespace {

double quantile(std::vector<double> values, double fraction) {
  std::ranges::sort(values);
  return quantile_of_sorted(values, fraction);
}

TEST(Quantile, LiesOnTheLineBetweenTwoOrderStatistics) {
  EXPECT_EQ(quantile({4, 1, 2, 3}, 0), 1);
  EXPECT_EQ(quantile({4, 1, 2, 3}, 0.25), 1.75);
  EXPECT_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_EQ(quantile({4, 1, 2, 3}, 1), 4);
  EXPECT_EQ(quantile({7, 7, 1}, 0.75), 7);
  EXPECT_EQ(quantile({3, 1}, 0.25), 1.5);
  EXPECT_EQ(quantile({0.25}, 0.9), 0.25);
}

TEST(Quantile, IsNotInfiniteBeforeAnInfiniteValue) {
  EXPECT_EQ(quantile({1, 2, std::numeric_limits<double>::infinity()}, 0.5), 2);
}

TEST(Quantile, OfNothingOrOutsideOfZeroToOneIsAnError) {
  EXPECT_THROW((void)quantile({}, 0.5), Error);
  EXPECT_THROW((void)quantile({1}, 1.1), Error);
  EXPECT_THROW((void)quantile({1}, std::nan("")), Error);
}

}  // namespace
}  // namespace breakeven::stats
