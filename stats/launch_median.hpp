// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "stats/median.hpp"

namespace breakeven::stats {

/// The median of a case's samples in one launch.
struct LaunchMedian {
  Estimate seconds{};
  int outliers = 0;  ///< samples beyond Tukey's fences
};

/// The median of a launch's samples, with the interval of a series whose samples depend on each
/// other. Outliers lie more than 1.5 interquartile ranges below the lower or above the upper
/// quartile (both definition 7): 0.7 % of normal values. They are counted, and excluded only on
/// request: a spike is part of the measurement, and hardly changes a median.
/// @throws Error when there is no sample.
/// @see [tukey1977], section 2D
[[nodiscard]] LaunchMedian launch_median(std::span<const double> in_time_order, bool drop_outliers);

}  // namespace breakeven::stats
