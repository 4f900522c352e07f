// SPDX-License-Identifier: BSD-3-Clause
#include "stats/stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "stats/autocorrelation.hpp"
#include "stats/noise.hpp"

namespace breakeven::stats {
namespace {

using Values = std::vector<double>;

/// Expects the rule's figure to lie at `figure`: reached just above it, not just below.
void expect_figure(const Values& samples, StopRule rule, double figure, int window = 10) {
  const auto reached = [&](double threshold) {
    return precise_enough(samples, {.rule = rule, .threshold = threshold, .window = window});
  };
  EXPECT_TRUE(reached(figure * (1 + 1e-9))) << kStopRules.of(rule);
  EXPECT_FALSE(reached(figure * (1 - 1e-9))) << kStopRules.of(rule);
}

Values repeated(const Values& pattern, int times) {
  Values values;
  for (int i = 0; i < times; ++i) values.insert(values.end(), pattern.begin(), pattern.end());
  return values;
}

TEST(PreciseEnough, LooksAtTheWidthOfTheIntervalOfTheSeries) {
  const Values samples = noisy_factors({.log_sd = 0.1, .autocorrelation = 0.5}, 200, 3);
  const Estimate estimate = estimate_median_of_series(samples);
  expect_figure(samples, StopRule::median_interval,
                (estimate.high - estimate.low) / estimate.median);
}

// Ten samples of 1 or 3: mean 2, deviation sqrt(10 / 9).
TEST(PreciseEnough, LooksAtTheRelativeStandardError) {
  expect_figure(repeated({1, 3}, 5), StopRule::rse, std::sqrt(10.0 / 9) / std::sqrt(10.0) / 2);
}

// Running means of 4, 4, 4, 8: 4 and 5; their mean 4.5, deviation sqrt(1/2).
// Running medians of 4, 4, 6, 8, 9, 9 for the last two: 6 and 7.
TEST(PreciseEnough, LooksAtTheLastRunningMeansOrMedians) {
  expect_figure({4, 4, 4, 8}, StopRule::cov_mean, std::sqrt(0.5) / 4.5, 2);
  expect_figure({4, 4, 6, 8, 9, 9}, StopRule::cov_median, std::sqrt(0.5) / 6.5, 2);
}

TEST(PreciseEnough, IsNeverSoOnFewSamples) {
  const auto enough = [](StopRule rule, std::size_t count) {
    return precise_enough(Values(count, 1.0), {.rule = rule, .threshold = 1, .window = 6});
  };
  for (const auto& [rule, least] : {std::pair{StopRule::median_interval, std::size_t{20}},
                                    {StopRule::rse, std::size_t{10}},
                                    {StopRule::cov_mean, std::size_t{12}},
                                    {StopRule::cov_median, std::size_t{12}}}) {
    EXPECT_TRUE(enough(rule, least)) << kStopRules.of(rule);
    EXPECT_FALSE(enough(rule, least - 1)) << kStopRules.of(rule);
    EXPECT_FALSE(enough(rule, 0)) << kStopRules.of(rule);
  }
}

// 30 rising values are hardly more than one step; not even the whole range covers 95 %.
TEST(PreciseEnough, IsNeverSoWithoutTheFullCoverage) {
  Values rising;
  for (int i = 0; i < 30; ++i) rising.push_back(1 + i * 1e-6);
  EXPECT_FALSE(precise_enough(rising, {.threshold = 1}));
}

TEST(PreciseEnough, TrustsEqualSamplesNoMoreThanTheClock) {
  EXPECT_FALSE(precise_enough(Values(50, 1e-6), {.threshold = 0.9e-3}));
  EXPECT_TRUE(precise_enough(Values(50, 1e-6), {.threshold = 1.1e-3}));
}

TEST(PreciseEnough, IsNeverSoWithoutATime) {
  for (const auto& [rule, name] : kStopRules.entries) {
    EXPECT_FALSE(precise_enough(Values(50, 0.0), {.rule = rule, .threshold = 1})) << name;
  }
}

TEST(PreciseEnough, RefusesAWindowOfOne) {
  EXPECT_THROW((void)precise_enough(Values{1}, {.rule = StopRule::cov_mean, .window = 1}), Error);
}

TEST(StopRules, AreNamed) { EXPECT_EQ(kStopRules.parse("cov_median"), StopRule::cov_median); }

}  // namespace
}  // namespace breakeven::stats
