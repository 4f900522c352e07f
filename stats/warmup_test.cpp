// SPDX-License-Identifier: BSD-3-Clause
#include "stats/warmup.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/noise.hpp"

namespace breakeven::stats {
namespace {

using Values = std::vector<double>;
constexpr int kSeries = 1000;

/// The percentage of series, each with its own seed, with any warm-up.
double percentage_found(const Noise& noise, int count) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= kSeries; ++seed) {
    found += warmup_length(noisy_factors(noise, count, seed)) > 0 ? 1 : 0;
  }
  return 100.0 * found / kSeries;
}

/// Noise whose first `slow` samples take `factor` times as long.
Values with_slow_start(int slow, double factor, int count, std::uint64_t seed) {
  Values series = noisy_factors({.log_sd = 0.1}, count, seed);
  for (int i = 0; i < slow; ++i) series[static_cast<std::size_t>(i)] *= factor;
  return series;
}

TEST(WarmupLength, IsNearlyAlwaysNoneInAStationarySeries) {
  for (const int count : {50, 200, 1000}) {
    EXPECT_LE(percentage_found({.log_sd = 0.1}, count), 1) << count;
    EXPECT_LE(percentage_found({.log_sd = 0.5}, count), 1) << count;
    EXPECT_LE(percentage_found({.log_sd = 0.1, .autocorrelation = 0.5}, count), 3) << count;
    EXPECT_LE(percentage_found({.log_sd = 0.1, .autocorrelation = 0.8}, count), 6) << count;
  }
}

TEST(WarmupLength, IsNotFooledByIsolatedSpikes) {
  for (const int count : {50, 200, 1000}) {
    const Noise rare{.log_sd = 0.1, .spike_rate = 0.01, .spike_factor = 5};
    const Noise often{.log_sd = 0.1, .spike_rate = 0.05, .spike_factor = 20};
    EXPECT_LE(percentage_found(rare, count), 2) << count;
    EXPECT_LE(percentage_found(often, count), 4) << count;
  }
  // Many, with what they count on average: it adds up.
  EXPECT_LE(percentage_found({.log_sd = 0.1, .spike_rate = 0.1, .spike_factor = 20}, 2000), 4);
  Values series = noisy_factors({.log_sd = 0.1}, 100, 1);
  series[3] *= 100;
  EXPECT_EQ(warmup_length(series), 0);
}

TEST(WarmupLength, FindsTheSlowFirstCalls) {
  for (const int slow : {1, 2, 5, 10, 30}) {
    int exact = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const std::size_t length = warmup_length(with_slow_start(slow, 3, 100, seed));
      exact += length == static_cast<std::size_t>(slow) ? 1 : 0;
    }
    EXPECT_GE(exact, 160) << slow;
  }
}

TEST(WarmupLength, CoversTheSlowPartOfADecay) {
  Values series = noisy_factors({.log_sd = 0.02}, 200, 6);
  for (std::size_t i = 0; i < series.size(); ++i) {
    series[i] *= 1 + 4 * std::exp(-static_cast<double>(i) / 5);
  }
  EXPECT_GE(warmup_length(series), 15);  // where 20 % are left
  EXPECT_LE(warmup_length(series), 40);  // where nothing is
}

TEST(WarmupLength, IsTheSameInAnyUnit) {
  Values series = with_slow_start(4, 20, 100, 1);
  for (double& seconds : series) seconds *= 1e-6;
  EXPECT_EQ(warmup_length(series), 4);
}

TEST(WarmupLength, IsHalfAtMost) {
  EXPECT_EQ(warmup_length(with_slow_start(90, 3, 100, 1)), 0);
  EXPECT_EQ(warmup_length(with_slow_start(50, 3, 100, 1)), 50);
}

TEST(WarmupLength, OfFewOrEqualSamplesIsNone) {
  EXPECT_EQ(warmup_length({}), 0);
  EXPECT_EQ(warmup_length(with_slow_start(5, 100, 19, 1)), 0);
  EXPECT_EQ(warmup_length(Values(50, 3e-6)), 0);
  EXPECT_EQ(warmup_length(Values(50, 0.0)), 0);
}

// Without noise, what counts is 0.1 %: a clock's tick is none, a slow first call is.
TEST(WarmupLength, KnowsAClocksTickFromASlowCall) {
  Values series(50, 1.0);
  series[0] = 1.001;
  EXPECT_EQ(warmup_length(series), 0);
  series[0] = 1.1;
  EXPECT_EQ(warmup_length(series), 1);
}

}  // namespace
}  // namespace breakeven::stats
