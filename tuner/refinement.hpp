// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <span>
#include <vector>

#include "core/case.hpp"

namespace breakeven::tuner {

/// Two sizes with different choices are not refined once the larger is at most this many times the
/// smaller.
inline constexpr double kNearEnough = 1.10;

/// What to measure next to bracket a table's break-even points, and how many there are.
struct Refinement {
  /// The candidates of one problem each: a size between two others, at whose ends choices differ.
  std::vector<std::vector<Case>> problems{};
  int points = 0;  ///< pairs of neighbouring sizes with different choices, in any kind of table
  /// Of them, those that stay wider than kNearEnough: no whole element lies between, or the size
  /// between was tried and could not be measured.
  int indivisible = 0;
};

/// The geometric mean, in whole elements, of each pair of sizes that brackets a break-even point
/// too widely.
///
/// Candidates there are the choices at both ends in each kind of table (`Candidates`), so that
/// every kind has its own; native, if measured; and those that linear interpolation of the medians
/// at both ends puts at least 2.5 % ahead of the choices, because a third one may win between two
/// others. All are measured with the counts of the ends. Library algorithms that would not run as
/// they are named are skipped.
/// @param measurements  on one machine, of one table each for every kind
/// @param tried  problems that need not be asked for again
[[nodiscard]] Refinement refine(std::span<const Measurement> measurements,
                                const std::set<Case>& tried);

}  // namespace breakeven::tuner
