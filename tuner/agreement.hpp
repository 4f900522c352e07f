// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/launch.hpp"
#include "core/prediction.hpp"
#include "tuner/contest.hpp"

namespace breakeven::tuner {

/// A case that was predicted and measured.
struct ComparedCase {
  Case what{};
  Seconds measured{};
  Prediction predicted{};
  /// As corrected by what was measured at other p (Correction); nothing where there is no other.
  std::optional<Seconds> held_out{};
};

/// How good the choices are that predictions make: in each problem the candidate with the least
/// predicted time is compared with the fastest one as measured, of those that are predicted.
struct PredictedChoices {
  std::size_t problems = 0;
  std::size_t near_best = 0;  ///< within kNearBest of the fastest
  double mean_regret = 0;
  double worst_regret = 0;
};

/// How predictions match measurements of a collective.
struct Agreement {
  Collective collective = Collective::allreduce;
  std::optional<int> procs{};  ///< nothing: all
  std::size_t cases = 0;       ///< predicted and measured
  /// measured / predicted - 1: the quantiles of 10, 50 and 90 %.
  double low = 0;
  double median = 0;
  double high = 0;
  /// The share of cases whose measured time lies in the predicted interval of 95 %; nothing where
  /// predictions have none.
  std::optional<double> inside{};
  /// Of the logarithms of both, over all cases; nothing where it is undefined.
  std::optional<double> correlation{};
  /// Of the ranks of both within a problem [spearman1904], the mean over problems; likewise.
  std::optional<double> rank_correlation{};
  PredictedChoices choices{};
  /// By predictions that are corrected by what was measured at other p.
  std::optional<PredictedChoices> held_out{};
};

struct Agreements {
  std::vector<Agreement> lines{};  ///< by collective: of each p, then, of several, of all
  std::vector<ComparedCase> cases{};
};

/// @see [ruefenacht2017], sections 5.5 and 5.7
[[nodiscard]] Agreements agreements(const Predictions& predictions, const Contests& contests);

/// A table for people.
[[nodiscard]] std::string agreement_text(const Agreements& agreements);

/// Format breakeven-agreement-1: `machine`, `predictor`, `agreements`, and `cases` with the times
/// of each; one line.
[[nodiscard]] std::string agreement_json(const Agreements& agreements, const Machine& machine,
                                         const std::string& predictor);

}  // namespace breakeven::tuner
