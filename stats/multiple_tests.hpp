// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace breakeven::stats {

/// p-values, in the order given, each adjusted so that it is compared with the level of a single
/// test: the probability of even one wrong rejection among all stays below that level, however the
/// tests depend on each other. Who asks a hundred questions at 5 % gets five wrong answers.
/// @see Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace breakeven::stats
