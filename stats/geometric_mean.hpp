// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "stats/median.hpp"

namespace breakeven::stats {

// Statements about the geometric mean of ratios, given as their natural logarithms. They assume
// that the logarithms vary normally, and so say something where order statistics of few values
// can't.

/// The mean of logarithms, and how uncertain it is.
struct MeanLog {
  double centre = 0;
  double standard_error = 0;
  double degrees = 0;  ///< of freedom that the standard error has
  int count = 0;
};

/// @throws Error for fewer than two values: one has no interval.
[[nodiscard]] MeanLog mean_log(std::span<const double> logs);

/// The geometric mean, as the estimate's `median`, with Student's t interval of the logarithms.
[[nodiscard]] Estimate estimate_geometric_mean(const MeanLog& mean, double confidence = 0.95);

/// How probable a geometric mean as low as this one is where the true one is `bound`: Student's t
/// test with one side.
/// @param bound  above 0
[[nodiscard]] double p_value_below(const MeanLog& mean, double bound);

}  // namespace breakeven::stats
