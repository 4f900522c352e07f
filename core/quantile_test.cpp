// SPDX-License-Identifier: BSD-3-Clause
#include "core/quantile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"

namespace breakeven {
namespace {

/// n, n-1, ..., 1: the k-th order statistic is k, and the values are not sorted.
std::vector<double> descending(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.rbegin(), values.rend(), 1.0);
  return values;
}

/// P(B = k), B binomial(n, q), from the definition.
double binomial_term(int n, int k, double q) {
  double term = 1;
  for (int i = 0; i < k; ++i) term *= q * (n - i) / (i + 1);
  return term * std::pow(1 - q, n - k);
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
  EXPECT_THROW((void)quantile_interval({}, 0.5), Error);
  EXPECT_THROW((void)quantile_interval({1}, 1), Error);
  EXPECT_THROW((void)quantile_interval({1}, 0.5, 1), Error);
}

// P(B < 2) = 10 / 512 for n = 9 at the median.
TEST(RankBelowQuantile, IsTheGreatestThatTheTailAllows) {
  EXPECT_EQ(rank_below_quantile(9, 0.5, 10.0 / 512), 2);
  EXPECT_EQ(rank_below_quantile(9, 0.5, 9.9 / 512), 1);
  EXPECT_EQ(rank_below_quantile(9, 0.5, 0.9 / 512), 0);
  EXPECT_EQ(rank_below_quantile(1'000'000, 0.5, 0.025), 499'020);
}

TEST(RankBelowQuantile, FitsTheBinomialFromItsDefinition) {
  for (const double q : {0.05, 0.25, 0.5, 0.9, 0.99}) {
    for (int n = 1; n <= 40; ++n) {
      double below = 0;
      std::size_t expected = 0;
      for (int k = 0; k < n && (below += binomial_term(n, k, q)) <= 0.025; ++k) ++expected;
      EXPECT_EQ(rank_below_quantile(static_cast<std::size_t>(n), q, 0.025), expected)
          << n << " " << q;
    }
  }
}

// Of ten values at the median, P(2 <= B < 9) = 1 - 2 (1 + 10) / 1024.
TEST(QuantileInterval, StatesTheCoverageOfTheBinomial) {
  const Interval median = quantile_interval(descending(10), 0.5);
  EXPECT_EQ(median.low, 2);
  EXPECT_EQ(median.high, 9);
  EXPECT_NEAR(median.coverage, 1 - 22.0 / 1024, 1e-12);
  const Interval ninetieth = quantile_interval(descending(100), 0.9);
  EXPECT_EQ(ninetieth.low, 84);
  EXPECT_EQ(ninetieth.high, 96);
  double coverage = 0;
  for (int k = 84; k < 96; ++k) coverage += binomial_term(100, k, 0.9);
  EXPECT_NEAR(ninetieth.coverage, coverage, 1e-12);
}

TEST(QuantileInterval, OfTooFewValuesEndsAtTheGreatestAndSaysWhatItCovers) {
  const Interval interval = quantile_interval(descending(20), 0.99);
  EXPECT_EQ(interval.high, 20);
  EXPECT_LT(interval.coverage, 1 - std::pow(0.99, 20));
  const Interval three = quantile_interval(descending(3), 0.25);
  EXPECT_EQ(three.low, 1);
  EXPECT_EQ(three.high, 3);
  EXPECT_NEAR(three.coverage, 3 * 0.25 * 0.75 * 0.75 + 3 * 0.25 * 0.25 * 0.75, 1e-12);
  EXPECT_EQ(quantile_interval({5}, 0.5).coverage, 0);
}

}  // namespace
}  // namespace breakeven
