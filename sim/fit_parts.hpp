// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "stats/median.hpp"

// What fits of patterns and of algorithms share.

namespace breakeven::sim {

/// The median of the absolute values.
[[nodiscard]] inline double median_absolute(std::vector<double> differences) {
  for (double& each : differences) each = std::abs(each);
  return stats::median(std::move(differences));
}

/// For a bootstrap: so many launches, drawn with replacement.
[[nodiscard]] inline std::vector<std::size_t> drawn(std::size_t size, std::mt19937_64& random) {
  std::vector<std::size_t> launches(size);
  for (std::size_t& launch : launches) launch = random() % size;
  return launches;
}

}  // namespace breakeven::sim
