// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace breakeven::stats {

/// The adjusted p-values, in the given order. Compared with the level of a single test, they keep
/// the probability of one or more wrong rejections below that level, however the tests depend on
/// each other.
/// @see [holm1979]
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace breakeven::stats
