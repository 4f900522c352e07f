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
#include "tuner/contest.hpp"
#include "tuner/gain.hpp"
#include "tuner/refinement.hpp"

namespace breakeven::session {

/// The work that is left for a candidate.
struct Open {
  double gain = 0;   ///< expected gain of one more launch: tuner::Gain, or of a new size
  int launches = 0;  ///< that it probably takes
};

/// The next measurements of a sweep. They follow from the sweep and the database alone, so that a
/// sweep that was killed at any instant, and `status`, find the same.
///
/// With racing, a candidate is measured once, and again together with the fastest and native as
/// long as that is expected to gain sweep.least_gain or more; with sweep.program_time a gain counts
/// by the time that the program spends there. A sweep that refines also measures sizes between
/// others, by the same rule. Candidates that sweep.prune_by predicts to be slow are left out
/// (session/pruning.hpp). The launch with the largest gain per second, the start of its job
/// included, comes first. Without racing every candidate has all launches.
class Agenda {
 public:
  /// @param asked  the whole plan of the requested sweep
  /// @param predictions  of its cases by sweep.prune_by
  Agenda(const plan::Sweep& sweep, const plan::SweepPlan& asked, Predictions predictions = {});

  /// Takes the database's whole content about the sweep's machine.
  void update(std::span<const results::Failure> failures,
              std::span<const Measurement> measurements);

  /// Whether the sweep measures this problem: it was requested, or lies between requested ones.
  [[nodiscard]] bool knows(const Case& problem) const { return known_.contains(problem); }
  /// The next launch, of one job; nothing when no more measurement is worth it. Several p never
  /// share a job, except for communicators that share its nodes: a library sets itself up for the
  /// size of MPI_COMM_WORLD (UCX selects transports by it), and ranks that are left out spin or
  /// share cores.
  /// @param forecast  of the time of each
  /// @param pays  a launch must also be expected to save the program of sweep.program_time more
  ///              time than it takes
  [[nodiscard]] std::optional<plan::PlannedLaunch> next(const plan::Forecast& forecast,
                                                        bool pays = false) const;

  /// The launches that each case probably still takes.
  [[nodiscard]] std::map<Case, int> launches() const;
  /// The candidates that are not measured because they are predicted to be slow.
  [[nodiscard]] const Pruning& pruning() const { return pruning_; }
  /// "Done: more measurements would not change a choice by 0.01 %.", with the exceptions.
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
  void find_problems();
  void find_last();
  void add_begun();
  [[nodiscard]] bool asked_variant(const Case& what) const;
  void open_all(const Problem& problem);
  void open_by_gain(tuner::Contests contests);
  void open_worthy(const Problem& problem, const std::map<Case, tuner::Gain>& gains);
  void open_new(std::span<const Measurement> measurements);
  struct RankedLaunch {
    double rate = 0;  ///< gain per second
    plan::PlannedLaunch launch{};
  };
  [[nodiscard]] std::optional<RankedLaunch> launch_on(const NodeLayout& job,
                                                      const plan::Forecast& forecast) const;
  [[nodiscard]] bool left_behind(const Case& what) const;
  [[nodiscard]] Rows rows_of(const Case& what) const;

  plan::Sweep sweep_;
  Predictions predictions_;
  std::vector<Problem> asked_{};
  std::set<Case> asked_variants_{};  ///< at no size
  std::vector<Problem> problems_{};  ///< requested, begun between these, or new
  std::set<Case> known_{};           ///< of the problems, those requested or begun
  std::map<Case, Rows> rows_{};
  std::map<NodeLayout, int> last_{};  ///< repeat of each job that was begun
  Pruning pruning_{};
  std::map<Case, Open> open_{};
  Seconds time_of_gain_{};  ///< of the program: tuner::time_of_gain
  int exhausted_ = 0;       ///< problems that had all launches and were worth more
  tuner::Refinement refinement_{};
};

}  // namespace breakeven::session
