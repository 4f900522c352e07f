// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "stats/belief.hpp"

namespace breakeven::stats {

// Ratios of a few launches, whose noise is judged by that of all comparisons of a sweep: moderated
// statistics [smyth2004], with a prior of any shape [ignatiadis2024] and without the pull of
// outliers [huber1964].

/// The standard deviations that a launch's log ratio can have: half a power of two apart, from a
/// millionth to 8.
inline constexpr std::size_t kNoises = 47;

/// The log ratio of one comparison, as its launches show it.
struct LogRatio {
  double centre = 0;
  double launches = 0;                  ///< less what outliers lose
  std::array<double, kNoises> noise{};  ///< the probability of each standard deviation
};

/// The log ratio of each comparison, from its values in one or more launches.
///
/// A comparison's noise is one of kNoises. How often each occurs is estimated from all comparisons
/// by the EM algorithm, to which noise of every size is added four times, so that few comparisons
/// don't make a prior: of a single one the result is Student's t. A value more than 1.5 standard
/// deviations from the centre weighs less (Huber's weights). Values must be independent between
/// launches; comparisons may depend on each other by a common side, not by a common launch effect.
[[nodiscard]] std::vector<LogRatio> moderate(std::span<const std::vector<double>> comparisons);

/// The probability of a centre as high as this one where the true log ratio is `bound` or less.
[[nodiscard]] double p_value_above(const LogRatio& ratio, double bound);

/// The ratio, and the interval that holds it with a probability of 95 %.
[[nodiscard]] RatioInterval interval_of(const LogRatio& ratio);

}  // namespace breakeven::stats
