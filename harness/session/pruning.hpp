// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/prediction.hpp"
#include "harness/plan/sweep.hpp"
#include "tuner/contest.hpp"

namespace breakeven::session {

/// The cases of a sweep that are not worth a measurement because a model predicts them to be slow.
struct Pruning {
  std::map<Case, double> pruned{};  ///< predicted time / the fastest candidate's
  std::size_t cases = 0;            ///< of the sweep
  Seconds saved{};                  ///< time to measure each of the pruned ones once
  /// The greatest factor from which on candidates of a collective are pruned, where errors of the
  /// predictions raise it above the requested one.
  std::map<Collective, double> relaxed{};

  /// "317 of 609 cases are pruned, which saves about 12 s. ..."; empty without pruning.
  [[nodiscard]] std::string text() const;
};

/// "Predictions of bcast err: only candidates at 3.1 times the fastest are pruned."
[[nodiscard]] std::string relaxed_text(Collective collective, double factor);

/// A candidate is pruned where its predicted time, corrected by earlier measurements
/// (tuner::Correction), is beyond a factor of the fastest candidate's: sweep.prune_margin, or 1.75
/// standard deviations of the errors of near predictions if that is more. Measured and unpredicted
/// candidates are never pruned. Of each candidate one case in ten, one at least, chosen by
/// sweep.seed among its sizes and p, is never pruned: these check the predictions.
/// @param problems  the candidates of each
/// @param tried  cases that were measured or failed
[[nodiscard]] Pruning prune(const plan::Sweep& sweep, std::span<const std::vector<Case>> problems,
                            const Predictions& predictions, const tuner::Contests& contests,
                            const std::set<Case>& tried);

}  // namespace breakeven::session
