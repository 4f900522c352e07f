// SPDX-License-Identifier: BSD-3-Clause
#include "stats/autocorrelation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/error.hpp"
#include "stats/noise.hpp"

namespace breakeven::stats {
namespace {

using Values = std::vector<double>;

/// 1, ..., count in an order without pattern, the same on every platform.
Values shuffled(int count) {
  const Values noise = noisy_factors({.log_sd = 1}, count, 4);
  Values ranks;
  for (const double value : noise) {
    const auto smaller = std::ranges::count_if(noise, [&](double other) { return other < value; });
    ranks.push_back(static_cast<double>(smaller) + 1);
  }
  return ranks;
}

/// n (sum of squares) / (n long-run variance) from the definition, for a series of 1 and -1.
double size_by_definition(const Values& sides, int frequencies) {
  const auto n = static_cast<double>(sides.size());
  double long_run = 0;
  for (int j = 1; j <= frequencies; ++j) {
    double coefficient = 0;
    for (std::size_t t = 0; t < sides.size(); ++t) {
      coefficient += sides[t] * std::cos(std::numbers::pi * j * (static_cast<double>(t) + 0.5) / n);
    }
    long_run += 2 / n * coefficient * coefficient / frequencies;
  }
  return n / long_run;
}

TEST(EffectiveSize, IsThatOfTheCosinesOfTheSides) {
  // Up to 41 samples have 3 frequencies, 216 have 12, which is three groups of four.
  for (const auto& [count, frequencies] : {std::pair{20, 3}, {40, 3}, {64, 5}, {216, 12}}) {
    const Values series = shuffled(count);
    Values sides;
    for (const double value : series) sides.push_back(value > (count + 1) / 2.0 ? 1 : -1);
    const EffectiveSize size = effective_size(series);
    EXPECT_EQ(size.degrees, frequencies) << count;
    EXPECT_NEAR(size.size, size_by_definition(sides, frequencies), 1e-9 * size.size) << count;
  }
}

TEST(EffectiveSize, SeesOnlyTheSideOfTheMedianOnWhichASampleLies) {
  Values series = shuffled(50);
  const EffectiveSize before = effective_size(series);
  for (double& value : series) value = std::exp(value);
  EXPECT_EQ(effective_size(series).size, before.size);
}

TEST(EffectiveSize, KnowsWhatIsAlikeAndWhatAlternates) {
  Values rising(100);
  std::iota(rising.begin(), rising.end(), 1.0);
  EXPECT_LT(effective_size(rising).size, 10);
  Values alternating(100);
  for (std::size_t i = 0; i < alternating.size(); ++i) alternating[i] = i % 2 == 0 ? 1 : 2;
  EXPECT_EQ(effective_size(alternating).size, 1600);
  EXPECT_EQ(effective_size(Values(100, 1.0)).size, 100);
}

TEST(EffectiveSize, OfFewSamplesTakesThemForIndependent) {
  const EffectiveSize size = effective_size(Values(19, 1.0));
  EXPECT_EQ(size.size, 19);
  EXPECT_EQ(size.degrees, 0);
  EXPECT_THROW((void)effective_size({}), Error);
}

// Student's t for 3 degrees is 3.182446 at 97.5 %; the ranks are 10.5 -+ t n / (2 sqrt(size)).
TEST(EstimateMedianOfSeries, GivesTheOrderStatisticsOfTheEffectiveSize) {
  const Values series = shuffled(20);
  const Estimate estimate = estimate_median_of_series(series);
  const double reach = 3.182446305 * 10 / std::sqrt(effective_size(series).size);
  ASSERT_LT(reach, 9.5);
  EXPECT_EQ(estimate.median, 10.5);
  EXPECT_NEAR(estimate.low, 10.5 - reach, 1e-6);
  EXPECT_NEAR(estimate.high, 10.5 + reach, 1e-6);
  EXPECT_EQ(estimate.coverage, 0.95);
  EXPECT_EQ(estimate.count, 20);
}

// The two steps are a series of 2 or 3 independent values: three degrees can't promise 95 %.
TEST(EstimateMedianOfSeries, GivesTheWholeRangeAndLessCoverageWhereTheSeriesIsOneStep) {
  Values rising(30);
  std::iota(rising.begin(), rising.end(), 1.0);
  const Estimate estimate = estimate_median_of_series(rising);
  EXPECT_EQ(estimate.low, 1);
  EXPECT_EQ(estimate.high, 30);
  EXPECT_LT(estimate.coverage, 0.95);
  EXPECT_GT(estimate.coverage, 0.5);
}

TEST(EstimateMedianOfSeries, OfFewIsThatOfIndependentValues) {
  for (const Values& few : {Values{3}, Values{3, 1}, shuffled(7), shuffled(19)}) {
    const Estimate estimate = estimate_median_of_series(few);
    const Estimate independent = estimate_median(few);
    EXPECT_EQ(estimate.low, independent.low);
    EXPECT_EQ(estimate.high, independent.high);
    EXPECT_EQ(estimate.coverage, independent.coverage);
  }
}

TEST(EstimateMedianOfSeries, OfEqualValuesHasNoWidth) {
  const Estimate estimate = estimate_median_of_series(Values(50, 3e-6));
  EXPECT_EQ(estimate.low, 3e-6);
  EXPECT_EQ(estimate.high, 3e-6);
  EXPECT_THROW((void)estimate_median_of_series({}), Error);
  EXPECT_THROW((void)estimate_median_of_series(Values{1}, 1), Error);
}

}  // namespace
}  // namespace breakeven::stats
