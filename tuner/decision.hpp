// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/program_time.hpp"
#include "stats/belief.hpp"
#include "tuner/contest.hpp"

namespace breakeven::tuner {

using tables::kNearBest;
inline const double kLogNearBest = std::log1p(kNearBest);

/// Which candidate to use for one problem, whatever its counts, and how certain that is.
struct Decision {
  Case problem{};                   ///< without algorithm and parameters; its counts are equal
  std::vector<Contest> contests{};  ///< one for each kind of counts that was measured
  std::size_t worst = 0;            ///< of the contests, that in which the choice is worth least
  std::size_t chosen = 0;           ///< index into its candidates
  tables::Certainty certainty =
      tables::Certainty::too_few;            ///< of all contests the worst, as is all that follows
  std::optional<tables::Speedup> speedup{};  ///< nothing without native
  double near_best = 0;  ///< probability that the choice is within kNearBest of the fastest
  /// Algorithms with their parameters that are more than kNearBest faster with a probability of
  /// 5 % or more, the most probable first.
  std::vector<Variant> rivals{};
  bool oversubscribed = false;  ///< in any launch of any candidate
  double weight = 1;            ///< of one doubling of the message around this size: weights_of
  Seconds program_time{};       ///< of the calls for which this size stands, where any are known

  [[nodiscard]] const Contest& contest() const { return contests[worst]; }
  [[nodiscard]] const Candidate& choice() const { return contest().candidates[chosen]; }
  /// Null when nothing was measured with these counts.
  [[nodiscard]] const Contest* with(Counts counts) const;
};

/// Whether all have more processes than cores. Where only some have, these are in no sum.
[[nodiscard]] bool all_oversubscribed(std::span<const Decision> decisions);

/// The only choice for all problems of a collective.
using FixedChoices = std::map<Collective, Variant>;

/// One decision for all problems that differ in their counts alone; those that differ in their
/// message size alone stand together, the smaller first. The measurements are of one machine.
///
/// All sizes are decided together: the choices have the least sum of costs and of a price for each
/// rule (tuner/assignment.hpp). A candidate's cost at a size is by how much longer than native it
/// is expected to take, as a logarithm; this expectation is drawn towards native the more, the less
/// certain it is (docs/measuring.md). Without native, cost is the time relative to the fastest
/// candidate's.
///
/// No table can ask for the counts: a candidate's cost is that with the worst of them, and only
/// candidates that were measured with all of them may be chosen; without any there is no decision.
/// A candidate with fewer than kLeastLaunches launches is chosen only when none has more: then
/// native, for want of evidence against it, or else the fastest, and the decision is `too_few`.
///
/// Where `fixed` has a collective's choice, that alone is chosen, and there is no decision where it
/// was not measured with all counts.
[[nodiscard]] std::vector<Decision> decide(std::span<const Measurement> measurements,
                                           const FixedChoices& fixed = {},
                                           const ProgramTime& time = {});

/// Gives calls for which the library can be told a single algorithm (`takes_one_algorithm`) one
/// choice: that with the least sum of costs, of those measured at each p and size, or native.
/// Choices for other calls stay, and those of the collectives that are fixed.
void choose_one_for_all(std::span<Decision> decisions, const FixedChoices& fixed);

}  // namespace breakeven::tuner
