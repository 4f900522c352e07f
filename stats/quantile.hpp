// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

namespace breakeven::stats {

/// The sample quantile of `values` in rising order at `fraction` in [0, 1]: the value at the rank
/// 1 + (n - 1) fraction, between two ranks on the line that joins them.
/// @throws Error when `sorted` is empty or `fraction` is outside.
/// @see [hyndman1996], definition 7
[[nodiscard]] double quantile_of_sorted(std::span<const double> sorted, double fraction);

}  // namespace breakeven::stats
