// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace breakeven::stats {

/// How many leading samples are warm-up: slower than the second half of the series, together,
/// beyond what its noise explains. At most half; 0 for fewer than kLeastSeries samples.
///
/// A change point by cumulated sums of d samples: each counts by how many deviations its logarithm
/// lies above the reference, 6 at most, less what the reference's samples count on average. (The
/// deviation is that of the MAD, and 0.1 % at least, so that a clock's tick isn't many.) The sum is
/// compared with its own deviation, that of an autocorrelated series; the warm-up ends where it
/// stands out most, if by 4.5 deviations. An isolated spike does so only as the very first sample,
/// where nothing but its rarity tells it from a slow first call. A stationary series of 50 samples
/// or more has a warm-up by mistake in less than 0.5 % (independent), 2 % (1 to 5 % of spikes, or
/// a correlation of 0.5) or 5 % (0.8) of cases, as warmup_test.cpp counts.
/// @see Page, Continuous Inspection Schemes, 1954 (cumulated sums); Hampel, 1974 (MAD)
[[nodiscard]] std::size_t warmup_length(std::span<const double> in_time_order);

}  // namespace breakeven::stats
