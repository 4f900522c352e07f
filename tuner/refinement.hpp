// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <span>
#include <vector>

#include "core/case.hpp"
#include "core/program_time.hpp"

namespace breakeven::tuner {

/// A size between two others, at whose ends choices differ.
struct SizeBetween {
  std::vector<Case> candidates{};  ///< of one problem
  /// By how much shorter a call is expected to take, as a share of its time, times doublings of the
  /// size.
  double gain = 0;
};

/// The next measurements to find a table's break-even points, and the number of these points.
struct Refinement {
  std::vector<SizeBetween> sizes{};
  int points = 0;  ///< pairs of neighbouring sizes with different choices, in any kind of table
};

/// The geometric mean, in whole elements, of each pair of sizes between which the choice changes,
/// where knowing it is worth it. If the choice jumps anywhere between sizes that are w doublings
/// apart, a table that has the break-even point half way loses a quarter of w times what the wrong
/// choice costs, on average (D, the mean of both ends, as a logarithm); the size halves that, so it
/// gains w D / 8.
///
/// Candidates there are the choices at both ends in each kind of table (`Candidates`), so that
/// every kind has its own; native, if measured; and those that linear interpolation of the medians
/// at both ends puts at least 2.5 % ahead of the choices, because a third one may win between two
/// others. All are measured with the counts of the ends. Library algorithms that would not run as
/// they are named are skipped.
/// @param measurements  on one machine, of one table each for every kind
/// @param known  problems that need not be proposed
/// @param least  gain that does not matter
/// @param time  of a program, by which sizes count (weights_of); those that it never calls are none
[[nodiscard]] Refinement refine(std::span<const Measurement> measurements,
                                const std::set<Case>& known, double least,
                                const ProgramTime& time = {});

}  // namespace breakeven::tuner
