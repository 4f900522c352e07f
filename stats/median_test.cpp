// SPDX-License-Identifier: BSD-3-Clause
#include "stats/median.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>
#include <vector>

#include "core/error.hpp"

namespace breakeven::stats {
namespace {

/// n, n-1, ..., 1: the k-th order statistic is k, and the values are not sorted.
std::vector<double> descending(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.rbegin(), values.rend(), 1.0);
  return values;
}

TEST(Median, IsTheMiddleOfAnOddNumberOfValues) { EXPECT_EQ(median({5, 1, 4}), 4); }

TEST(Median, IsTheMeanOfTheTwoMiddleOnesOfAnEvenNumber) { EXPECT_EQ(median({8, 1, 3, 4}), 3.5); }

TEST(Median, OfOneValueIsThatValue) { EXPECT_EQ(median({0.25}), 0.25); }

TEST(Median, OfNoValueIsAnError) {
  EXPECT_THROW((void)median({}), Error);
  EXPECT_THROW((void)estimate_median({}), Error);
}

struct Expected {
  int n;
  double low;  // the rank of the order statistic, or where between two ranks
  double high;
  double coverage;
};

// By hand: of n = 6 the coverages of [x(1), x(6)] and [x(2), x(5)] are 62/64 and 50/64. The excess
// of the first over 0.95 is a tenth of their difference, and (5 / 10) / (1 + 4 / 10) = 5/14
// inwards.
constexpr std::array kByHand{
    Expected{1, 1, 1, 0},
    Expected{2, 1, 2, 0.5},
    Expected{3, 1, 3, 0.75},
    Expected{4, 1, 4, 0.875},
    Expected{5, 1, 5, 0.9375},
    Expected{6, 1 + 5.0 / 14, 6 - 5.0 / 14, 0.95},
    Expected{7, 1.7333333333333334, 6.266666666666667, 0.95},
    Expected{8, 1.9356435643564356, 7.064356435643564, 0.95},
    Expected{9, 2.227906976744187, 7.772093023255813, 0.95},
    Expected{10, 2.657657657657658, 8.342342342342342, 0.95},
    Expected{12, 3.263118440779611, 9.73688155922039, 0.95},
    Expected{100, 40.7632006163401, 60.2367993836599, 0.95},
    Expected{1000, 469.5330866017012, 531.4669133982988, 0.95},
};

TEST(EstimateMedian, GivesOrderStatisticsOrWhereBetweenThemTheCoverageIsReached) {
  for (const auto& [n, low, high, coverage] : kByHand) {
    const Estimate estimate = estimate_median(descending(n));
    EXPECT_EQ(estimate.median, (n + 1) / 2.0) << n;
    EXPECT_NEAR(estimate.low, low, 1e-9) << n;
    EXPECT_NEAR(estimate.high, high, 1e-9) << n;
    EXPECT_NEAR(estimate.coverage, coverage, 1e-12) << n;
    EXPECT_EQ(estimate.count, n);
  }
}

TEST(EstimateMedian, IsWiderForMoreConfidence) {
  const auto low = [](double confidence) {
    return estimate_median(descending(100), confidence).low;
  };
  EXPECT_NEAR(low(0.5), 47.13245492227713, 1e-9);
  EXPECT_NEAR(low(0.99), 37.73798346674204, 1e-9);
}

TEST(EstimateMedian, GivesTheWholeRangeWhenTheConfidenceIsOutOfReach) {
  const Estimate estimate = estimate_median(descending(6), 0.99);
  EXPECT_EQ(estimate.low, 1);
  EXPECT_EQ(estimate.high, 6);
  EXPECT_EQ(estimate.coverage, 0.96875);
}

// The ranks are those of the normal approximation, (n + 1)/2 -+ 1.959964 sqrt(n)/2.
TEST(EstimateMedian, KeepsItsRanksForAMillionValues) {
  const Estimate estimate = estimate_median(descending(1'000'000));
  EXPECT_EQ(estimate.median, 500'000.5);
  EXPECT_NEAR(estimate.low, 499'020.518, 0.01);
  EXPECT_NEAR(estimate.high, 500'980.482, 0.01);
}

// A ratio to no time at all is infinite.
TEST(EstimateMedian, DoesNotInterpolateToTheInfinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Estimate estimate = estimate_median(std::vector<double>{1, 2, 3, 4, 5, kInfinity});
  EXPECT_NEAR(estimate.low, 1 + 5.0 / 14, 1e-12);
  EXPECT_EQ(estimate.high, kInfinity);
}

TEST(EstimateMedian, OfEqualValuesHasNoWidth) {
  const Estimate estimate = estimate_median(std::vector<double>(20, 3e-6));
  EXPECT_EQ(estimate.low, 3e-6);
  EXPECT_EQ(estimate.high, 3e-6);
}

}  // namespace
}  // namespace breakeven::stats
