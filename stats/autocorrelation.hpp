// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "stats/median.hpp"

namespace breakeven::stats {

/// The effective sample size: the number of independent values with an equally precise median.
struct EffectiveSize {
  double size = 0;  ///< below the length where neighbours are alike, above where they alternate
  int degrees = 0;  ///< of freedom that this estimate itself has; 0: independence is assumed
};

/// The fewest samples for an estimate of their dependence.
inline constexpr std::size_t kLeastSeries = 20;

/// The effective size for the median, from the signs of the samples' deviations from it: a spike
/// counts as one sample above, however high.
///
/// The signs' long-run variance is the mean of the squares of their first B cosine coefficients,
/// with B = n^(2/3) / 3, from 3 to 64. For a series without correlation this is exact for any B. It
/// has B degrees of freedom, which the interval takes into account by Student's t. The size is at
/// most 16 n, because a series that alternates regularly still varies.
/// @see [lazarus2018] (there B = 0.4 n^(2/3), which covers 1 % less at a correlation of 0.8)
[[nodiscard]] EffectiveSize effective_size(std::span<const double> in_time_order);

/// The interval of the median of a stationary series whose samples depend on their neighbours: the
/// order statistics of independent values, for the effective size.
///
/// Fewer than kLeastSeries samples are assumed to be independent, as in estimate_median. A series
/// that drifts has a wide interval, or its whole range with a lower coverage.
/// @throws Error when the series is empty, or `confidence` outside of (0, 1).
[[nodiscard]] Estimate estimate_median_of_series(std::span<const double> in_time_order,
                                                 double confidence = 0.95);

}  // namespace breakeven::stats
