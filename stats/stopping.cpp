// SPDX-License-Identifier: BSD-3-Clause
#include "stats/stopping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "stats/autocorrelation.hpp"
#include "stats/median.hpp"

namespace breakeven::stats {

namespace {

constexpr double kConfidence = 0.95;
constexpr std::size_t kLeastForError = 10;
constexpr double kUnknown = std::numeric_limits<double>::infinity();
constexpr double kClockStep = 1e-9;  // seconds: equal samples are no more certain than their clock

double relative(double figure, double centre) { return centre > 0 ? figure / centre : kUnknown; }

double mean_of(std::span<const double> values) {
  return boost::math::statistics::mean(values.begin(), values.end());
}

/// The sample's standard deviation to its mean.
double variation(std::span<const double> values) {
  const auto [mean, variance] =
      boost::math::statistics::mean_and_sample_variance(values.begin(), values.end());
  return relative(std::sqrt(variance), mean);
}

double interval_width(std::span<const double> samples) {
  if (samples.size() < kLeastSeries) return kUnknown;
  const Estimate estimate = estimate_median_of_series(samples, kConfidence);
  if (estimate.coverage < kConfidence) return kUnknown;
  return relative(std::max(estimate.high - estimate.low, kClockStep), estimate.median);
}

double standard_error(std::span<const double> samples) {
  if (samples.size() < kLeastForError) return kUnknown;
  return variation(samples) / std::sqrt(static_cast<double>(samples.size()));
}

/// The variation of what `centre` gives for all samples, all but the last one, and so on.
template <typename Centre>
double variation_of_last(std::span<const double> samples, int window, Centre centre) {
  if (window < 2) throw Error(fmt::format("a window of {}; it takes 2 or more", window));
  const auto size = static_cast<std::size_t>(window);
  if (samples.size() < 2 * size) return kUnknown;
  std::vector<double> running;
  running.reserve(size);
  for (std::size_t left_out = 0; left_out < size; ++left_out) {
    running.push_back(centre(samples.first(samples.size() - left_out)));
  }
  return variation(running);
}

double median_of(std::span<const double> values) { return median({values.begin(), values.end()}); }

double figure_of(std::span<const double> samples, const StopTarget& target) {
  switch (target.rule) {
    case StopRule::median_interval: return interval_width(samples);
    case StopRule::rse: return standard_error(samples);
    case StopRule::cov_mean: return variation_of_last(samples, target.window, mean_of);
    case StopRule::cov_median: return variation_of_last(samples, target.window, median_of);
  }
  return kUnknown;
}

}  // namespace

bool precise_enough(std::span<const double> samples_in_time_order, const StopTarget& target) {
  return figure_of(samples_in_time_order, target) <= target.threshold;
}

}  // namespace breakeven::stats
