// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/statistics.hpp"

namespace breakeven {

// Statements about the geometric mean of ratios, given as their natural logarithms. They assume
// that the logarithms vary normally, and so say something where order statistics of few values
// can't.

/// The geometric mean, as the estimate's `median`, with Student's t interval of the logarithms.
/// @throws Error for fewer than two values: one leaves no doubt measured.
[[nodiscard]] Estimate estimate_geometric_mean(std::span<const double> logs,
                                               double confidence = 0.95);

/// How probable a geometric mean as low as this one is where the true one is `bound`: Student's t
/// test with one side.
/// @param bound  above 0
/// @throws Error for fewer than two values.
[[nodiscard]] double p_value_below(std::span<const double> logs, double bound);

}  // namespace breakeven
