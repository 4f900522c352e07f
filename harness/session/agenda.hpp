// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/prediction.hpp"
#include "harness/plan/cost.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/session/pruning.hpp"
#include "results/records.hpp"
#include "tuner/gain.hpp"
#include "tuner/refinement.hpp"

namespace breakeven::session {

/// What is left to do for a candidate.
struct Open {
  double gain = 0;   ///< that is expected of one more launch: tuner::Gain, or of a new size
  int launches = 0;  ///< that it probably takes
};

/// What a sweep measures next. It follows from the sweep and from what the database holds, so that
/// a sweep that was killed anywhere, and `status`, come to the same.
///
/// With racing, a candidate is measured once, and again as long as that is expected to gain
/// sweep.least_gain or more, beside the fastest and native; with sweep.program_time a gain counts
/// by the time that the program spends there. A sweep that refines
/// also measures sizes between others, by the same rule. Candidates that sweep.prune_by predicts to
/// to be slow are left out (session/pruning.hpp). The launch that gains most per second,
/// those that its job takes to start among them, comes first. Without racing every candidate has
/// all launches.
class Agenda {
 public:
  /// @param asked  the plan of the sweep as asked, whole
  /// @param predictions  of its cases by sweep.prune_by
  Agenda(const plan::Sweep& sweep, const plan::SweepPlan& asked, Predictions predictions = {});

  /// Takes in all that the database holds of the sweep's machine.
  void update(std::span<const results::Failure> failures,
              std::span<const Measurement> measurements);

  /// Whether the sweep measures this problem: it was asked for, or lies between such.
  [[nodiscard]] bool knows(const Case& problem) const { return known_.contains(problem); }
  /// The next launch, all of one p; nothing when nothing is worth it any more. Several p never
  /// share a job: a library sets itself up for the size of MPI_COMM_WORLD (UCX selects transports
  /// by it), and ranks that are left out spin or share cores.
  /// @param forecast  how long each would take
  [[nodiscard]] std::optional<plan::PlannedLaunch> next(const plan::Forecast& forecast) const;

  /// The launches that each case probably still takes.
  [[nodiscard]] std::map<Case, int> launches() const;
  /// What is not measured because it is predicted to be slow.
  [[nodiscard]] const Pruning& pruning() const { return pruning_; }
  /// "Done: more measurements would not change a choice by 0.01 %." and what else there is to say.
  [[nodiscard]] std::string text() const;

 private:
  struct Rows {
    int count = 0;   ///< measured or failed
    int first = -1;  ///< repeat
    int last = -1;
  };
  using Problem = std::vector<Case>;  ///< its candidates

  void count_rows(std::span<const results::Failure> failures,
                  std::span<const Measurement> measurements);
  void add_begun();
  [[nodiscard]] bool asked_variant(const Case& what) const;
  void open_all(const Problem& problem);
  void open_worthy(const Problem& problem, const std::map<Case, tuner::Gain>& gains);
  void open_new(std::span<const Measurement> measurements);
  struct RankedLaunch {
    double rate = 0;  ///< gain per second
    plan::PlannedLaunch launch{};
  };
  [[nodiscard]] std::optional<RankedLaunch> launch_at(int procs,
                                                      const plan::Forecast& forecast) const;
  [[nodiscard]] bool left_behind(const Case& what) const;
  [[nodiscard]] Rows rows_of(const Case& what) const;

  plan::Sweep sweep_;
  Predictions predictions_;
  std::vector<Problem> asked_{};
  std::set<Case> asked_variants_{};  ///< at no size
  std::vector<Problem> problems_{};  ///< asked for, begun between them, or new
  std::set<Case> known_{};           ///< of the problems, those asked for or begun
  std::map<Case, Rows> rows_{};
  std::map<int, int> last_{};  ///< repeat at each p that was begun
  Pruning pruning_{};
  std::map<Case, Open> open_{};
  int exhausted_ = 0;  ///< problems that had all launches and were worth more
  tuner::Refinement refinement_{};
};

}  // namespace breakeven::session
