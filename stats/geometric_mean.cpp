// SPDX-License-Identifier: BSD-3-Clause
#include "stats/geometric_mean.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>

#include "core/error.hpp"

namespace breakeven::stats {

MeanLog mean_log(std::span<const double> logs) {
  if (logs.size() < 2) throw Error("a mean of fewer than two values has no interval");
  const auto n = static_cast<double>(logs.size());
  const auto [centre, variance] =
      boost::math::statistics::mean_and_sample_variance(logs.begin(), logs.end());
  return {.centre = centre,
          .standard_error = std::sqrt(variance / n),
          .degrees = n - 1,
          .count = static_cast<int>(logs.size())};
}

Estimate estimate_geometric_mean(const MeanLog& mean, double confidence) {
  const boost::math::students_t student{mean.degrees};
  const double half = boost::math::quantile(student, (1 + confidence) / 2) * mean.standard_error;
  return {.median = std::exp(mean.centre),
          .low = std::exp(mean.centre - half),
          .high = std::exp(mean.centre + half),
          .coverage = confidence,
          .count = mean.count};
}

double p_value_below(const MeanLog& mean, double bound) {
  const double above = mean.centre - std::log(bound);
  if (mean.standard_error == 0) return above < 0 ? 0 : 1;
  return boost::math::cdf(boost::math::students_t{mean.degrees}, above / mean.standard_error);
}

}  // namespace breakeven::stats
