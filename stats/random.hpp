// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <numbers>
#include <random>

namespace breakeven::stats {

// The standard fixes the numbers of its generators, but not of its distributions, which differ from
// library to library. These give the same everywhere, but for the last digit of std::log.

/// Uniform in (0, 1]: never 0, so that it has a logarithm.
[[nodiscard]] inline double uniform(std::mt19937_64& generator) {
  return (static_cast<double>(generator() >> 11U) + 1) * 0x1p-53;
}

/// A standard normal deviate.
/// @see [box1958]
[[nodiscard]] inline double standard_normal(std::mt19937_64& generator) {
  const double radius = std::sqrt(-2 * std::log(uniform(generator)));
  return radius * std::cos(2 * std::numbers::pi * uniform(generator));
}

}  // namespace breakeven::stats
