// SPDX-License-Identifier: BSD-3-Clause
#include "stats/noise.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "core/error.hpp"
#include "stats/random.hpp"

namespace breakeven::stats {

namespace {

void check(const Noise& noise, int count) {
  // Written so that NaN is refused too.
  const bool possible = noise.log_sd >= 0 && noise.spike_rate >= 0 && noise.spike_rate < 0.5 &&
                        noise.spike_factor >= 1 && noise.drift > -1 &&
                        std::abs(noise.autocorrelation) < 1 && count >= 0;
  if (!possible) {
    throw Error(
        fmt::format("no noise of log_sd={}, spike_rate={}, spike_factor={}, drift={}, "
                    "autocorrelation={}, {} samples",
                    noise.log_sd, noise.spike_rate, noise.spike_factor, noise.drift,
                    noise.autocorrelation, count));
  }
}

double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

/// The logarithm of the median of the mixture, in standard deviations: where its distribution
/// (1 - r) F(x) + r F(x - log(factor) / log_sd) is 1/2, found by bisection.
double median_shift(const Noise& noise) {
  if (noise.log_sd == 0 || noise.spike_rate == 0) return 0;
  const double jump = std::log(noise.spike_factor) / noise.log_sd;
  double low = 0;
  double high = jump;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    const double below =
        (1 - noise.spike_rate) * normal_cdf(middle) + noise.spike_rate * normal_cdf(middle - jump);
    (below < 0.5 ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::vector<double> noisy_factors(const Noise& noise, int count, std::uint64_t seed) {
  check(noise, count);
  std::mt19937_64 generator{seed};
  const double shift = median_shift(noise);
  const double fresh = std::sqrt(1 - noise.autocorrelation * noise.autocorrelation);
  const double slope = count > 1 ? std::log1p(noise.drift) / (count - 1) : 0;
  std::vector<double> factors;
  factors.reserve(static_cast<std::size_t>(count));
  double state = standard_normal(generator);
  for (int index = 0; index < count; ++index) {
    const double spike = uniform(generator) <= noise.spike_rate ? noise.spike_factor : 1;
    const double drift = slope * (index - (count - 1) / 2.0);
    factors.push_back(spike * std::exp(noise.log_sd * (state - shift) + drift));
    state = noise.autocorrelation * state + fresh * standard_normal(generator);
  }
  return factors;
}

}  // namespace breakeven::stats
