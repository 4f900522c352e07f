// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometric_mean.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "core/error.hpp"

namespace breakeven {

namespace {

/// A mean of values that vary normally, as far as they tell.
struct Mean {
  double centre = 0;
  double standard_error = 0;
  boost::math::students_t student;
};

Mean mean_of(std::span<const double> values) {
  if (values.size() < 2) throw Error("a mean of fewer than two values has no interval");
  const auto n = static_cast<double>(values.size());
  const double centre = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double each : values) squares += (each - centre) * (each - centre);
  return {.centre = centre,
          .standard_error = std::sqrt(squares / (n - 1) / n),
          .student = boost::math::students_t{n - 1}};
}

}  // namespace

Estimate estimate_geometric_mean(std::span<const double> logs, double confidence) {
  const Mean mean = mean_of(logs);
  const double half =
      boost::math::quantile(mean.student, (1 + confidence) / 2) * mean.standard_error;
  return {.median = std::exp(mean.centre),
          .low = std::exp(mean.centre - half),
          .high = std::exp(mean.centre + half),
          .coverage = confidence,
          .count = static_cast<int>(logs.size())};
}

double p_value_below(std::span<const double> logs, double bound) {
  const Mean mean = mean_of(logs);
  const double above = mean.centre - std::log(bound);
  if (mean.standard_error == 0) return above < 0 ? 0 : 1;
  return boost::math::cdf(mean.student, above / mean.standard_error);
}

}  // namespace breakeven
