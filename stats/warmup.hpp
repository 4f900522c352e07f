// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace breakeven::stats {

/// The number of leading samples that are warm-up: together significantly slower than the second
/// half of the series. At most half; 0 for fewer than kLeastSeries samples.
///
/// A change point by cumulative sums of d samples. Each sample counts the deviations by which its
/// logarithm exceeds the reference, 6 at most, minus the average of the reference's samples. (The
/// deviation is that of the MAD, and 0.1 % at least, so that a clock's tick is not several.) The
/// sum is divided by its own deviation, that of an autocorrelated series; the warm-up ends at the
/// maximum, if that is 4.5 or more. An isolated spike reaches it only as the first sample, where it
/// cannot be distinguished from a slow first call. A stationary series of 50 samples or more has a
/// false warm-up in less than 0.5 % (independent), 2 % (1 to 5 % of spikes, or a correlation of
/// 0.5) or 5 % (0.8) of cases, as warmup_test.cpp counts.
/// @see [page1954] (cumulated sums); [hampel1974] (median absolute deviation)
[[nodiscard]] std::size_t warmup_length(std::span<const double> in_time_order);

}  // namespace breakeven::stats
