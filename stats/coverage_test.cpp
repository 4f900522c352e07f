// SPDX-License-Identifier: BSD-3-Clause
// How often the intervals cover a median that is known: 1,000 seeded series of each kind, whose
// standard error is 0.7 %. BREAKEVEN_COVERAGE=1 in the environment prints what was counted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <string_view>

#include "stats/autocorrelation.hpp"
#include "stats/noise.hpp"
#include "stats/random.hpp"

namespace breakeven::stats {
namespace {

constexpr int kTrials = 1000;

/// The percentage of trials, each with its own seed, in which the interval holds the truth.
double percentage_covered(std::string_view what, int trials,
                          const std::function<bool(std::uint64_t seed)>& covers) {
  int covered = 0;
  for (int trial = 1; trial <= trials; ++trial) {
    covered += covers(static_cast<std::uint64_t>(trial)) ? 1 : 0;
  }
  const double percentage = 100.0 * covered / trials;
  if (std::getenv("BREAKEVEN_COVERAGE") != nullptr) fmt::print("{:40} {:.1f}\n", what, percentage);
  return percentage;
}

bool holds_one(const Estimate& estimate) { return estimate.low <= 1 && 1 <= estimate.high; }

struct Kind {
  std::string_view name;
  Noise noise{};
};

double series_covered(const Kind& kind, int count) {
  return percentage_covered(
      fmt::format("series, {}, {}", kind.name, count), kTrials, [&](std::uint64_t seed) {
        return holds_one(estimate_median_of_series(noisy_factors(kind.noise, count, seed)));
      });
}

constexpr std::array kStationary{
    Kind{"log-normal", {.log_sd = 0.1}},
    Kind{"1 % spikes of 2", {.log_sd = 0.1, .spike_rate = 0.01, .spike_factor = 2}},
    Kind{"5 % spikes of 20", {.log_sd = 0.1, .spike_rate = 0.05, .spike_factor = 20}},
    Kind{"correlation 0.5", {.log_sd = 0.1, .autocorrelation = 0.5}},
    Kind{"correlation 0.8", {.log_sd = 0.1, .autocorrelation = 0.8}},
    Kind{"correlation 0.8, 5 % spikes of 20",
         {.log_sd = 0.1, .spike_rate = 0.05, .spike_factor = 20, .autocorrelation = 0.8}},
};

TEST(Coverage, OfTheMedianOfAStationarySeriesIsWhatWasAskedFor) {
  for (const Kind& kind : kStationary) {
    for (const int count : {50, 200, 1000}) {
      const double covered = series_covered(kind, count);
      EXPECT_GE(covered, 93) << kind.name << ", " << count;
      EXPECT_LE(covered, 97) << kind.name << ", " << count;
    }
  }
}

// The truth is the median in the middle of the run. Slow change looks like samples that are alike,
// so that the interval widens and covers it nearly always.
TEST(Coverage, OfADriftingSeriesIsAtLeastWhatWasAskedFor) {
  const Kind drifting{"drift 10 %", {.log_sd = 0.1, .drift = 0.1}};
  for (const int count : {50, 200, 1000}) EXPECT_GE(series_covered(drifting, count), 95) << count;
}

// Why the order matters: taken for independent, samples that are alike promise far too much.
TEST(Coverage, OfIndependentValuesIsNotThatOfASeries) {
  const Noise noise{.log_sd = 0.1, .autocorrelation = 0.8};
  EXPECT_LT(percentage_covered("independent, correlation 0.8, 200", kTrials,
                               [&](std::uint64_t seed) {
                                 return holds_one(estimate_median(noisy_factors(noise, 200, seed)));
                               }),
            65);
}

/// Distributions with the median 1 that differ in shape: even, skewed, and with heavy tails.
double draw(std::string_view shape, std::mt19937_64& generator) {
  const double u = uniform(generator);
  if (shape == "uniform") return 2 * u;
  if (shape == "exponential") return -std::log2(u);
  return 1 + std::tan(3 * (u - 0.5));  // Cauchy's, but for the outermost tails
}

TEST(Coverage, OfInterpolatedOrderStatisticsIsWhatWasAskedFor) {
  for (const std::string_view shape : {"uniform", "exponential", "heavy tails"}) {
    for (const int count : {6, 7, 10, 20, 50}) {
      const double covered = percentage_covered(
          fmt::format("independent, {}, {}", shape, count), 20 * kTrials, [&](std::uint64_t seed) {
            std::mt19937_64 generator{seed};
            std::vector<double> values(static_cast<std::size_t>(count));
            for (double& value : values) value = draw(shape, generator);
            return holds_one(estimate_median(values));
          });
      EXPECT_NEAR(covered, 95, 1) << shape << ", " << count;
    }
  }
}

}  // namespace
}  // namespace breakeven::stats
