// SPDX-License-Identifier: BSD-3-Clause
#include "stats/moderated.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <random>

#include "stats/multiple_tests.hpp"
#include "stats/random.hpp"

namespace breakeven::stats {
namespace {

/// Normal values around 0.
std::vector<double> values_of(std::mt19937_64& generator, double deviation, int launches) {
  std::vector<double> values;
  for (int i = 0; i < launches; ++i) values.push_back(deviation * standard_normal(generator));
  return values;
}

TEST(Moderate, IsStudentsTestOfASingleComparison) {
  // Symmetric and without outliers, but for the factor that makes up for those in normal values.
  const std::vector<std::vector<double>> one{{0.99, 1, 1.01}};
  const LogRatio ratio = moderate(one).front();
  EXPECT_DOUBLE_EQ(ratio.centre, 1);
  const double error = 0.01 / std::sqrt(0.86639 * 3);
  for (const double above : {0.01, 0.05, 0.3}) {
    const double student = boost::math::cdf(complement(boost::math::students_t{2}, above / error));
    EXPECT_NEAR(p_value_above(ratio, 1 - above) / student, 1, 0.05) << above;
  }
  const double half = boost::math::quantile(boost::math::students_t{2}, 0.975) * error;
  EXPECT_NEAR(std::log(interval_of(ratio).high), 1 + half, 0.05 * half);
}

/// Of normal values around 0, looked at after each launch from the third on.
struct Wrong {
  double called_above = 0;  ///< share of trials in which a look calls any comparison above 0
  double uncovered = 0;     ///< share of intervals of four launches without 0
};

Wrong wrong(int comparisons, double spread) {
  constexpr int kRuns = 400;
  constexpr int kLaunches = 8;
  constexpr double kLevel = 0.05;
  std::mt19937_64 generator{1};
  Wrong wrong;
  for (int trial = 0; trial < kRuns; ++trial) {
    std::vector<std::vector<double>> values;
    for (int i = 0; i < comparisons; ++i) {
      const double deviation = 0.03 * std::exp(spread * standard_normal(generator));
      values.push_back(values_of(generator, deviation, kLaunches));
    }
    bool called = false;
    for (int launches = kLaunches; launches >= 3; --launches) {
      for (const LogRatio& each : moderate(values)) {
        called |= at_look(launches - 2, p_value_above(each, 0)) <= kLevel / comparisons;
        if (launches != 4) continue;
        const RatioInterval ratio = interval_of(each);
        wrong.uncovered += ratio.low > 1 || ratio.high < 1 ? 1.0 / (kRuns * comparisons) : 0;
      }
      for (std::vector<double>& each : values) each.pop_back();
    }
    wrong.called_above += called ? 1.0 / kRuns : 0;
  }
  return wrong;
}

TEST(Moderate, IsWrongAsSeldomAsItsLevelSays) {
  for (const int comparisons : {1, 3, 30}) {
    for (const double spread : {0.0, 1.0}) {
      const auto [called_above, uncovered] = wrong(comparisons, spread);
      EXPECT_LE(called_above, 0.05) << comparisons << " of spread " << spread;
      EXPECT_NEAR(uncovered, 0.05, 0.025) << comparisons << " of spread " << spread;
    }
  }
}

TEST(Moderate, LearnsTheNoiseFromAllComparisons) {
  std::mt19937_64 generator{1};
  std::vector<std::vector<double>> values;
  for (int i = 0; i < 300; ++i) values.push_back(values_of(generator, 0.03, 3));
  values.push_back({0.4, 0.41, 0.39});
  const double alone = p_value_above(moderate({&values.back(), 1}).front(), 0.1);
  EXPECT_LT(p_value_above(moderate(values).back(), 0.1), alone / 100);
}

TEST(Moderate, IsHardlyPulledByAnOutlier) {
  const std::vector<std::vector<double>> one{
      {0.02, -0.02, 0.01, -0.01, 0.015, -0.015, 0.005, -0.005, 0, 0.3}};
  const LogRatio ratio = moderate(one).front();
  EXPECT_LT(ratio.centre, 0.02);  // the mean is 0.03
  EXPECT_LT(ratio.launches, 9.7);
}

TEST(Moderate, NeedsNoNoise) {
  const std::vector<std::vector<double>> values{{0.1, 0.1, 0.1}, {0, 0, 0}, {0.2}};
  const std::vector<LogRatio> ratios = moderate(values);
  EXPECT_LT(p_value_above(ratios[0], 0), 1e-6);
  EXPECT_DOUBLE_EQ(p_value_above(ratios[1], 0), 0.5);
  EXPECT_GT(interval_of(ratios[2]).high, std::exp(0.2));
}

}  // namespace
}  // namespace breakeven::stats
