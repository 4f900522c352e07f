// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace breakeven {

/// Values outside of [low, high] are outliers.
struct Fences {
  double low = 0;
  double high = 0;
};

/// `reach` interquartile ranges below the lower and above the upper quartile (both definition 7).
/// Of normal values, 0.7 % lie outside with Tukey's 1.5; 3 fence out what is "far out".
/// @throws Error when `values` is empty.
/// @see Tukey, Exploratory Data Analysis, 1977, section 2D
[[nodiscard]] Fences tukey_fences(std::span<const double> values, double reach = 1.5);

/// Where in `values` the outliers are, in rising order. They are named, not dropped: a spike is
/// part of what was measured, and a median bears it.
[[nodiscard]] std::vector<std::size_t> outliers(std::span<const double> values, Fences fences);

}  // namespace breakeven
