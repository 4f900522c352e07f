// SPDX-License-Identifier: BSD-3-Clause
#include "stats/geometric_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace breakeven::stats {
namespace {

const MeanLog kLogs = mean_log(std::vector<double>{0, std::log(2), std::log(4)});

TEST(GeometricMean, HasStudentsIntervalOfTheLogarithms) {
  const Estimate mean = estimate_geometric_mean(kLogs);
  EXPECT_NEAR(mean.median, 2, 1e-12);
  // Logarithms 0, 1, 2 times log 2: deviation log 2, t = 4.302653 with two degrees of freedom.
  EXPECT_NEAR(mean.high, 2 * std::exp(4.302653 * std::log(2) / std::sqrt(3)), 1e-4);
  EXPECT_NEAR(mean.low, 4 / mean.high, 1e-12);
  EXPECT_EQ(mean.coverage, 0.95);
  EXPECT_EQ(mean.count, 3);
}

TEST(GeometricMean, TestAndIntervalAgree) {
  // The upper end of a 95 % interval is what a test with one side rejects at 2.5 %.
  EXPECT_NEAR(p_value_below(kLogs, estimate_geometric_mean(kLogs).high), 0.025, 1e-9);
  EXPECT_NEAR(p_value_below(kLogs, 2), 0.5, 1e-9);
  EXPECT_GT(p_value_below(kLogs, 1), 0.5);
}

TEST(GeometricMean, OfEqualValuesHasAnIntervalOfNoWidth) {
  const MeanLog equal = mean_log(std::vector<double>{0, 0, 0});
  EXPECT_EQ(estimate_geometric_mean(equal).low, 1);
  EXPECT_EQ(p_value_below(equal, 1.01), 0);
  EXPECT_EQ(p_value_below(equal, 1), 1);
}

TEST(GeometricMean, OfOneValueIsRefused) {
  EXPECT_THROW((void)mean_log(std::vector<double>{0.5}), Error);
}

}  // namespace
}  // namespace breakeven::stats
