// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

namespace breakeven {

// How much two independent samples differ, whatever their distributions. Each throws Error when a
// sample is empty.

/// The probability that a value of the first sample is greater than one of the second, equal ones
/// counted as a half: 1/2 where neither tends to be greater.
/// @see Vargha and Delaney, A Critique and Improvement of the CL Common Language Effect Size, 2000
[[nodiscard]] double probability_of_superiority(std::span<const double> first,
                                                std::span<const double> second);

/// P(first > second) - P(first < second), from -1 to 1.
/// @see Cliff, Dominance Statistics, 1993
[[nodiscard]] double cliffs_delta(std::span<const double> first, std::span<const double> second);

/// The median of the differences first - second over all pairs, whose number is memory and time.
/// @see Hodges and Lehmann, Estimates of Location Based on Rank Tests, 1963
[[nodiscard]] double hodges_lehmann_shift(std::span<const double> first,
                                          std::span<const double> second);

/// The median of the ratios first / second over all pairs: the shift of logarithms, for durations.
[[nodiscard]] double hodges_lehmann_ratio(std::span<const double> first,
                                          std::span<const double> second);

}  // namespace breakeven
