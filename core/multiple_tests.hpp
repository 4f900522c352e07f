// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace breakeven {

// Who asks a hundred questions at 5 % gets five wrong answers. An adjusted p-value is compared with
// the same level as a single one would be. Both keep the order given.

/// The probability of even one wrong rejection stays below the level, however the tests depend on
/// each other.
/// @see Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

/// The expected share of wrong ones among the rejections stays below the level, for independent or
/// positively dependent tests.
/// @see Benjamini and Hochberg, Controlling the False Discovery Rate, 1995
[[nodiscard]] std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace breakeven
