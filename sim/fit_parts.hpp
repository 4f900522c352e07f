// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "stats/median.hpp"

// Parts of fits.

namespace breakeven::sim {

/// The median of the absolute values.
[[nodiscard]] inline double median_absolute(std::vector<double> differences) {
  for (double& each : differences) each = std::abs(each);
  return stats::median(std::move(differences));
}

/// For a bootstrap: as many launches, drawn with replacement.
[[nodiscard]] inline std::vector<std::size_t> drawn(std::size_t size, std::mt19937_64& random) {
  std::vector<std::size_t> launches(size);
  for (std::size_t& launch : launches) launch = random() % size;
  return launches;
}

/// Where lines that follow some points end, but for the last: at one of the points. Of all cuts
/// into as many lines those with the least squares of relative differences are taken. A further
/// line must lower the root of their mean by a third, and that must be above 2 %; each has three
/// points at least, and there are four at most.
/// @param x  ascending
/// @param y  positive
[[nodiscard]] std::vector<double> line_ends(std::span<const double> x, std::span<const double> y);

}  // namespace breakeven::sim
