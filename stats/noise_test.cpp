// SPDX-License-Identifier: BSD-3-Clause
#include "stats/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace breakeven::stats {
namespace {

constexpr int kMany = 200'000;

double share_below_one(const Noise& noise) {
  const std::vector<double> factors = noisy_factors(noise, kMany, 5);
  const auto below = std::ranges::count_if(factors, [](double factor) { return factor < 1; });
  return static_cast<double>(below) / kMany;
}

/// The correlation of the logarithms at a distance, whose true mean is 0 and deviation `log_sd`.
double log_correlation(const std::vector<double>& factors, std::size_t lag, double log_sd) {
  double sum = 0;
  for (std::size_t i = lag; i < factors.size(); ++i) {
    sum += std::log(factors[i]) * std::log(factors[i - lag]);
  }
  return sum / static_cast<double>(factors.size() - lag) / (log_sd * log_sd);
}

TEST(NoisyFactors, OfNoNoiseAreOne) {
  EXPECT_EQ(noisy_factors({}, 3, 7), (std::vector<double>{1, 1, 1}));
  EXPECT_TRUE(noisy_factors({}, 0, 7).empty());
}

// Computed outside of C++, with a Mersenne twister that gives the standard's 10,000th number.
TEST(NoisyFactors, AreTheSameOnEveryPlatform) {
  const std::vector<double> factors = noisy_factors({.log_sd = 1, .autocorrelation = 0.5}, 3, 1);
  EXPECT_NEAR(factors[0], 3.716757056160821, 1e-12);
  EXPECT_NEAR(factors[1], 0.4633492060221382, 1e-12);
  EXPECT_NEAR(factors[2], 1.7582339405316634, 1e-12);
}

// The standard error of a share of one half is 0.0011.
TEST(NoisyFactors, HaveTheMedianOneWithSpikesToo) {
  EXPECT_NEAR(share_below_one({.log_sd = 0.3}), 0.5, 0.005);
  EXPECT_NEAR(share_below_one({.log_sd = 0.3, .spike_rate = 0.2, .spike_factor = 1.5}), 0.5, 0.005);
  EXPECT_NEAR(share_below_one({.log_sd = 0.3, .spike_rate = 0.4, .spike_factor = 20}), 0.5, 0.005);
  EXPECT_NEAR(share_below_one({.log_sd = 0.3, .drift = 1}), 0.5, 0.005);
  EXPECT_NEAR(share_below_one({.log_sd = 0.3, .autocorrelation = 0.5}), 0.5, 0.01);
}

TEST(NoisyFactors, HaveAsManySpikesAsAskedFor) {
  const std::vector<double> factors =
      noisy_factors({.spike_rate = 0.05, .spike_factor = 8}, kMany, 3);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(factors, 8.0)) / kMany, 0.05, 0.003);
}

TEST(NoisyFactors, GrowByTheDriftFromTheFirstToTheLast) {
  const std::vector<double> factors = noisy_factors({.drift = 0.21}, 3, 1);
  EXPECT_NEAR(factors[0], 1 / 1.1, 1e-12);
  EXPECT_EQ(factors[1], 1);
  EXPECT_NEAR(factors[2], 1.1, 1e-12);
  EXPECT_EQ(noisy_factors({.drift = 0.21}, 1, 1), std::vector<double>{1});
}

TEST(NoisyFactors, HaveTheAutocorrelationAndTheDeviationAskedFor) {
  const std::vector<double> factors =
      noisy_factors({.log_sd = 0.2, .autocorrelation = 0.8}, kMany, 9);
  EXPECT_NEAR(log_correlation(factors, 0, 0.2), 1, 0.03);
  EXPECT_NEAR(log_correlation(factors, 1, 0.2), 0.8, 0.03);
  EXPECT_NEAR(log_correlation(factors, 3, 0.2), 0.512, 0.03);
}

TEST(NoisyFactors, RefuseWhatIsNoNoise) {
  EXPECT_THROW((void)noisy_factors({.log_sd = -1}, 1, 1), Error);
  EXPECT_THROW((void)noisy_factors({.spike_rate = 0.5}, 1, 1), Error);
  EXPECT_THROW((void)noisy_factors({.spike_factor = 0.5}, 1, 1), Error);
  EXPECT_THROW((void)noisy_factors({.drift = -1}, 1, 1), Error);
  EXPECT_THROW((void)noisy_factors({.autocorrelation = 1}, 1, 1), Error);
  EXPECT_THROW((void)noisy_factors({.log_sd = std::nan("")}, 1, 1), Error);
}

}  // namespace
}  // namespace breakeven::stats
