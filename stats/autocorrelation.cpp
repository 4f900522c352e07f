// SPDX-License-Identifier: BSD-3-Clause
#include "stats/autocorrelation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "stats/quantile.hpp"

namespace breakeven::stats {

namespace {

constexpr std::size_t kMostFrequencies = 64;
constexpr std::size_t kLanes = 4;
constexpr double kMostPerSample = 16;

std::vector<double> centred(std::vector<double> values) {
  const double mean = boost::math::statistics::mean(values);
  for (double& value : values) value -= mean;
  return values;
}

/// 1 above the median, -1 below, 0 on it; then without their mean, which ties leave.
std::vector<double> sides_of(std::span<const double> series, double median) {
  std::vector<double> sides;
  sides.reserve(series.size());
  for (const double value : series) {
    sides.push_back(static_cast<double>(value > median) - static_cast<double>(value < median));
  }
  return centred(std::move(sides));
}

/// The sums of values[t] cos((t + 1/2) w) over t, for kLanes frequencies w = first pi / n and on.
std::array<double, kLanes> cosine_sums(std::span<const double> values, std::size_t first) {
  std::array<double, kLanes> now{};
  std::array<double, kLanes> before{};
  std::array<double, kLanes> twice{};
  std::array<double, kLanes> sums{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double step =
        std::numbers::pi * static_cast<double>(first + lane) / static_cast<double>(values.size());
    now[lane] = before[lane] = std::cos(step / 2);
    twice[lane] = 2 * std::cos(step);
  }
  // Chebyshev's recurrence; side by side, so that no frequency waits for its last step.
  for (const double value : values) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += value * now[lane];
      const double next = twice[lane] * now[lane] - before[lane];
      before[lane] = now[lane];
      now[lane] = next;
    }
  }
  return sums;
}

/// n times the variance over the long run: from the cosine coefficients 1 to `frequencies`.
double long_run_squares(std::span<const double> values, std::size_t frequencies) {
  double squares = 0;
  for (std::size_t first = 1; first <= frequencies; first += kLanes) {
    const std::array<double, kLanes> sums = cosine_sums(values, first);
    const std::size_t used = std::min(kLanes, frequencies + 1 - first);
    for (std::size_t lane = 0; lane < used; ++lane) squares += sums[lane] * sums[lane];
  }
  return 2 * squares / static_cast<double>(frequencies);
}

EffectiveSize effective_size_around(std::span<const double> series, double median) {
  const auto n = static_cast<double>(series.size());
  if (series.size() < kLeastSeries) return {.size = n};
  const auto wanted = static_cast<std::size_t>(std::cbrt(n * n) / 3);
  const std::size_t frequencies = std::clamp(wanted, std::size_t{3}, kMostFrequencies);
  const std::vector<double> sides = sides_of(series, median);
  const double squares = std::inner_product(sides.begin(), sides.end(), sides.begin(), 0.0);
  const double long_run = long_run_squares(sides, frequencies);
  const double ratio = squares == 0 ? 1 : std::max(long_run / squares, 1 / kMostPerSample);
  return {.size = n / ratio, .degrees = static_cast<int>(frequencies)};
}

/// The value at a rank that may lie between two, within the sample.
double at_rank(std::span<const double> sorted, double rank) {
  const double last = static_cast<double>(sorted.size()) - 1;
  return quantile_of_sorted(sorted, std::clamp((rank - 1) / last, 0.0, 1.0));
}

}  // namespace

EffectiveSize effective_size(std::span<const double> in_time_order) {
  return effective_size_around(in_time_order, median({in_time_order.begin(), in_time_order.end()}));
}

Estimate estimate_median_of_series(std::span<const double> in_time_order, double confidence) {
  const bool possible = confidence > 0 && confidence < 1;  // and not NaN
  if (!possible) {
    throw Error(fmt::format("no interval of the median with confidence {}", confidence));
  }
  if (in_time_order.size() < kLeastSeries) return estimate_median(in_time_order, confidence);
  std::vector<double> sorted{in_time_order.begin(), in_time_order.end()};
  std::ranges::sort(sorted);
  const double middle = quantile_of_sorted(sorted, 0.5);
  const auto [size, degrees] = effective_size_around(in_time_order, middle);
  const auto n = static_cast<double>(sorted.size());
  // The share of a sample of this size that lies below the true median has the deviation
  // 1 / (2 sqrt(size)); that many ranks of all n.
  const double deviation = n / (2 * std::sqrt(size));
  const boost::math::students_t student{static_cast<double>(degrees)};
  const double reach = boost::math::quantile(student, (1 + confidence) / 2) * deviation;
  const double most = (n - 1) / 2;
  return {
      .median = middle,
      .low = at_rank(sorted, (n + 1) / 2 - reach),
      .high = at_rank(sorted, (n + 1) / 2 + reach),
      .coverage = reach <= most ? confidence : 2 * boost::math::cdf(student, most / deviation) - 1,
      .count = static_cast<int>(sorted.size())};
}

}  // namespace breakeven::stats
