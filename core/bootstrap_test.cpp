// SPDX-License-Identifier: BSD-3-Clause
#include "core/bootstrap.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/error.hpp"

namespace breakeven {
namespace {

using Values = std::vector<double>;
constexpr BootstrapMethod kPercentile = BootstrapMethod::percentile;

void expect_near(const Interval& interval, double low, double high) {
  EXPECT_NEAR(interval.low, low, 1e-12);
  EXPECT_NEAR(interval.high, high, 1e-12);
}

// Of the 27 ways to draw three of 1, 2, 4 the median is 1 in 7, 2 in 13 and 4 in 7: 26 % each side.
TEST(BootstrapRatio, DrawsEachOfThreeAsOftenAsCountingSays) {
  const Values three{4, 1, 2};
  const Bootstrap wider{.method = kPercentile, .resamples = 20'000, .confidence = 0.52};
  const Bootstrap narrower{.method = kPercentile, .resamples = 20'000, .confidence = 0.44};
  expect_near(bootstrap_ratio(three, Values{2}, wider), 0.5, 2);
  expect_near(bootstrap_ratio(three, Values{2}, narrower), 1, 1);
  expect_near(bootstrap_ratio(Values{2}, three, wider), 0.5, 2);
}

// The expected ends come from a program in another language with the same generator.
TEST(BootstrapRatio, IsTheSameOnEveryPlatform) {
  const Values above{1.02, 1.31, 1.17, 1.05, 2.9, 1.44, 1.9, 3.7};
  const Values below{1.01, 0.9, 1.2, 1.33, 0.97, 1.6};
  const auto with = [&](BootstrapMethod method) {
    return bootstrap_ratio(above, below,
                           {.method = method, .resamples = 1000, .confidence = 0.9, .seed = 7});
  };
  expect_near(with(BootstrapMethod::bca), 0.8774703557312251, 2.121249079874569);
  expect_near(with(kPercentile), 0.9249011857707509, 2.376237623762376);
  EXPECT_EQ(with(kPercentile).coverage, 0.9);
}

// Without the acceleration the ends that it moves were 2.46062 and 1.43174.
TEST(BootstrapRatio, IsAcceleratedWhereTheSamplesAreSkewed) {
  const Values skewed{1.0, 1.01, 1.03, 1.06, 1.6, 2.4, 3.5, 5.0};
  const Values other{2.0, 1.0, 1.1, 1.2, 1.9, 1.3, 1.5};
  expect_near(bootstrap_ratio(skewed, other, {.resamples = 1000, .confidence = 0.95, .seed = 7}),
              0.55, 2.4603500363710578);
  expect_near(bootstrap_ratio(other, skewed, {.resamples = 1000, .confidence = 0.7, .seed = 7}),
              0.65, 1.431909921141979);
}

TEST(BootstrapRatioOfPairs, IsTheSameOnEveryPlatform) {
  const Values above{1.2, 3.1, 2.2, 9.7, 2.6, 4.4, 1.9};
  const Values below{1.1, 1.4, 1.0, 2.3, 1.7, 2.0, 1.3};
  const auto with = [&](BootstrapMethod method, double confidence) {
    return bootstrap_ratio_of_pairs(
        above, below, {.method = method, .resamples = 1000, .confidence = confidence, .seed = 7});
  };
  expect_near(with(BootstrapMethod::bca, 0.6), 1.6923076923076923, 2.2142857142857144);
  expect_near(with(kPercentile, 0.6), 1.5294117647058825, 2.2);
  expect_near(with(BootstrapMethod::bca, 0.95), 1.4615384615384615, 4.217391304347826);
}

TEST(BootstrapRatioOfPairs, LeavesNoDoubtWhereAllPairsHaveOneRatio) {
  const Values below{1, 5, 2, 4, 3};
  const Values above{2, 10, 4, 8, 6};
  expect_near(bootstrap_ratio_of_pairs(above, below), 2, 2);
  EXPECT_LT(bootstrap_ratio(above, below).low, 1.5);
}

TEST(BootstrapRatio, OfOneOrEqualValuesHasNoWidth) {
  expect_near(bootstrap_ratio(Values{3}, Values{2}), 1.5, 1.5);
  expect_near(bootstrap_ratio(Values{3, 3, 3}, Values{2, 2}), 1.5, 1.5);
  expect_near(bootstrap_ratio_of_pairs(Values{3}, Values{2}), 1.5, 1.5);
}

TEST(BootstrapRatio, RefusesWhatHasNoRatio) {
  EXPECT_THROW((void)bootstrap_ratio({}, Values{1}), Error);
  EXPECT_THROW((void)bootstrap_ratio(Values{1}, Values{0, 1}), Error);
  EXPECT_THROW((void)bootstrap_ratio_of_pairs(Values{1, 2}, Values{1}), Error);
  EXPECT_THROW((void)bootstrap_ratio(Values{1}, Values{1}, {.resamples = 0}), Error);
  EXPECT_THROW((void)bootstrap_ratio(Values{1}, Values{1}, {.confidence = 1}), Error);
}

}  // namespace
}  // namespace breakeven
