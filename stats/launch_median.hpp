// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "stats/median.hpp"

namespace breakeven::stats {

/// What the samples of a case in one launch come to.
struct LaunchMedian {
  Estimate seconds{};
  int outliers = 0;  ///< samples beyond Tukey's fences
};

/// The median of a launch's samples, with the interval of a series whose samples depend on each
/// other. Outliers lie more than 1.5 interquartile ranges below the lower or above the upper
/// quartile (both definition 7): 0.7 % of normal values. They are counted, and left out only where
/// that is asked for: a spike is part of what was measured, and a median bears it.
/// @throws Error when there is no sample.
/// @see Tukey, Exploratory Data Analysis, 1977, section 2D
[[nodiscard]] LaunchMedian launch_median(std::span<const double> in_time_order, bool drop_outliers);

}  // namespace breakeven::stats
