// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <span>
#include <vector>

#include "core/case.hpp"

namespace breakeven {

/// Two sizes with different choices bracket a break-even point near enough once the larger is at
/// most so many times the smaller.
inline constexpr double kNearEnough = 1.10;

/// How far a table's break-even points are known, and what to measure so that they are.
struct Refinement {
  /// The candidates of one problem each: a size between two others, at whose ends choices differ.
  std::vector<std::vector<Case>> problems{};
  int points = 0;  ///< pairs of neighbouring sizes with different choices, in any kind of table
  /// Of them, those that stay wider than kNearEnough: no whole element lies between, or the size
  /// between was tried and could not be measured.
  int indivisible = 0;
};

/// Halves, as ratios go, each bracket of a break-even point that is too wide: at the geometric mean
/// of its sizes, in whole elements.
///
/// Candidates there are those that are chosen at either end in each kind of table (`Candidates`),
/// so that no kind has a size at which its own are missing; native, where it is measured; and whom
/// straight lines through both ends' medians put ahead of the choices by 2.5 %: the third that wins
/// between two others. All are measured with each of the counts that the ends were. Library
/// algorithms that would not run as they are named are skipped.
/// @param measurements  on one machine, of one table each for every kind
/// @param tried  problems that need not be asked for again
[[nodiscard]] Refinement refine(std::span<const Measurement> measurements,
                                const std::set<Case>& tried);

}  // namespace breakeven
