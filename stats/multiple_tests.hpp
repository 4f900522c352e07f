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

/// The p-value of the k-th look at growing data, corrected for all looks, past and to come: look k
/// may spend the k (k + 1)-th part of the level, which together is all of it.
/// @param look  from 1 on
/// @see [lan1983]
[[nodiscard]] double at_look(int look, double p_value);

}  // namespace breakeven::stats
