// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "stats/belief.hpp"
#include "stats/case_times.hpp"

namespace breakeven::stats {

/// Launches that the noise common to all candidates counts as.
inline constexpr int kPriorLaunches = 4;

/// The times of one problem's candidates, as logarithms of seconds, without the effects of launches
/// on all of them: levels of one problem compare, whichever launches measured them.
struct Levels {
  std::vector<Belief> candidates{};  ///< by candidate, of the problem's median launch
  /// Around 0, the interval of the median launch's effect; of the count of all launches. That of
  /// several problems is common to their candidates, so only levels of one problem compare.
  Estimate effect{};
};

/// The levels of several problems.
///
///     log time = level of the candidate + effect of the launch + noise
///
/// A launch's effect is the same for all candidates of a problem, and drawn towards none as far as
/// launches differ little; where it measured one alone, the effect is a part of the noise. Noise
/// has Student's t distribution with 4 degrees of freedom, so that a launch which a spike hit
/// counts little. Three launches tell little of a candidate's noise: its variance is drawn towards
/// the median variance of all candidates of all problems, as if that had been seen in four more
/// launches. The fit is iteratively reweighted least squares.
///
/// @param problems  the candidates of each, whose noise is of one kind; times of 0 count as 1e-12 s
/// @see [lange1989]
[[nodiscard]] std::vector<Levels> fit_levels(
    std::span<const std::vector<const CaseTimes*>> problems);

}  // namespace breakeven::stats
