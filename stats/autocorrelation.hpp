// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "stats/median.hpp"

namespace breakeven::stats {

/// How many independent values say as much about the median as a series does.
struct EffectiveSize {
  double size = 0;  ///< below the length where neighbours are alike, above where they alternate
  int degrees = 0;  ///< of freedom that this estimate itself has; 0: independence is assumed
};

/// The fewest samples of which it can be said whether they depend on each other.
inline constexpr std::size_t kLeastSeries = 20;

/// The effective size for the median, from the sides of the median on which the samples lie: a
/// spike is one sample above, however high.
///
/// Their variance over the long run is that of their lowest frequencies: the mean of the squares of
/// the first B cosine coefficients, with B = n^(2/3) / 3, from 3 to 64. For a series without
/// correlation this is exact for any B, and it has B degrees of freedom, which the interval pays
/// for by Student's t. The size is at most 16 n: a series that alternates by rule still has an
/// interval.
/// @see Lazarus, Lewis, Stock and Watson, HAR Inference: Recommendations for Practice, 2018 (there
///      B = 0.4 n^(2/3), which covers 1 % less at a correlation of 0.8)
[[nodiscard]] EffectiveSize effective_size(std::span<const double> in_time_order);

/// The interval of the median of a stationary series whose samples depend on their neighbours: the
/// order statistics of independent values, as far apart as the effective size demands.
///
/// Fewer than kLeastSeries samples are taken for independent, as estimate_median does. A series
/// that drifts has a wide interval, or its whole range with the lower coverage of that.
/// @throws Error when the series is empty, or `confidence` outside of (0, 1).
[[nodiscard]] Estimate estimate_median_of_series(std::span<const double> in_time_order,
                                                 double confidence = 0.95);

}  // namespace breakeven::stats
