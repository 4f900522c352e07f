// SPDX-License-Identifier: BSD-3-Clause
#include "core/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "core/error.hpp"

namespace breakeven {
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
  double low;  // the rank of the order statistic
  double high;
  double coverage;
};

// Coverage 1 - 2 P(B < low), B binomial(n, 1/2), by hand: of n = 9, 1 - 2 (1 + 9) / 512.
constexpr std::array kByHand{
    Expected{1, 1, 1, 0},
    Expected{2, 1, 2, 0.5},
    Expected{3, 1, 3, 0.75},
    Expected{4, 1, 4, 0.875},
    Expected{5, 1, 5, 0.9375},
    Expected{6, 1, 6, 0.96875},
    Expected{7, 1, 7, 0.984375},
    Expected{8, 1, 8, 0.9921875},
    Expected{9, 2, 8, 0.9609375},
    Expected{10, 2, 9, 0.978515625},
    Expected{11, 2, 10, 0.98828125},
    Expected{12, 3, 10, 0.96142578125},
    Expected{100, 40, 61, 0.9647997997822952},
    Expected{1000, 469, 532, 0.9537088026395019},
};

TEST(EstimateMedian, GivesTheOrderStatisticsAndTheCoverageOfTheBinomial) {
  for (const auto& [n, low, high, coverage] : kByHand) {
    const Estimate estimate = estimate_median(descending(n));
    EXPECT_EQ(estimate.median, (n + 1) / 2.0) << n;
    EXPECT_EQ(estimate.low, low) << n;
    EXPECT_EQ(estimate.high, high) << n;
    EXPECT_NEAR(estimate.coverage, coverage, 1e-12) << n;
    EXPECT_EQ(estimate.count, n);
  }
}

TEST(EstimateMedian, IsWiderForMoreConfidence) {
  const auto low = [](double confidence) {
    return estimate_median(descending(100), confidence).low;
  };
  EXPECT_EQ(low(0.5), 47);
  EXPECT_EQ(low(0.99), 37);
}

TEST(EstimateMedian, GivesTheWholeRangeWhenTheConfidenceIsOutOfReach) {
  const Estimate estimate = estimate_median(descending(6), 0.99);
  EXPECT_EQ(estimate.low, 1);
  EXPECT_EQ(estimate.high, 6);
  EXPECT_EQ(estimate.coverage, 0.96875);
}

// 2^-n is not a double from n = 1075 on. The ranks are those of the normal approximation,
// n/2 -+ 1.96 sqrt(n)/2.
TEST(EstimateMedian, KeepsItsRanksForAMillionValues) {
  const Estimate estimate = estimate_median(descending(1'000'000));
  EXPECT_EQ(estimate.median, 500'000.5);
  EXPECT_EQ(estimate.low, 499'020);
  EXPECT_EQ(estimate.high, 500'981);
  EXPECT_NEAR(estimate.coverage, 0.950121, 1e-5);
}

TEST(EstimateMedian, OfEqualValuesHasNoWidth) {
  const Estimate estimate = estimate_median(std::vector<double>(20, 3e-6));
  EXPECT_EQ(estimate.low, 3e-6);
  EXPECT_EQ(estimate.high, 3e-6);
}

}  // namespace
}  // namespace breakeven
