// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace breakeven::sim {

/// Where lines that follow some points end, but for the last: at one of the points. Of all cuts
/// into as many lines those with the least squares of relative differences are taken. A further
/// line must lower the root of their mean by a third, and that must be above 2 %; each has three
/// points at least, and there are four at most.
/// @param x  ascending
/// @param y  positive
[[nodiscard]] std::vector<double> line_ends(std::span<const double> x, std::span<const double> y);

}  // namespace breakeven::sim
