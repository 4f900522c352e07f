// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/cost.hpp"
#include "harness/session/agenda.hpp"
#include "results/store.hpp"

namespace breakeven::session {

/// What a database holds of a machine, read once.
struct Held {
  std::vector<results::Failure> failures{};
  std::vector<Measurement> measurements{};
  std::vector<results::StoredLaunch> launches{};
};
[[nodiscard]] Held held(const results::Store& store, results::MachineId machine);

/// Teaches a forecast how long the launches took.
void learn(plan::Forecast& forecast, const Held& held);

/// What remains of a sweep by what a database holds of its machine, and how long that takes.
struct Outlook {
  plan::SweepPlan plan;
  plan::Forecast forecast;
  Agenda agenda;

  /// @param asked  the plan of the sweep as asked, whole
  /// @param predictions  by sweep.prune_by
  /// @param known  what is known of the machine beside the database
  Outlook(const plan::Sweep& sweep, plan::SweepPlan asked, Predictions predictions,
          const Held& held, plan::Forecast known);
};

/// The sweeps that were started on a machine.
[[nodiscard]] std::vector<plan::Sweep> sweeps_of(const results::Store& store,
                                                 results::MachineId id);

/// What remains of the sweeps that were started on a machine.
struct Remaining {
  std::map<Case, int> launches{};
  plan::Cost cost{};                  ///< of these
  bool guessed = false;               ///< the cost
  bool refinement_to_come = false;    ///< which depends on what is still to be measured
  std::vector<std::string> pruned{};  ///< of each sweep that prunes
};
[[nodiscard]] Remaining remaining_of(const results::Store& store, results::MachineId id,
                                     const Machine& machine, const Held& held);

/// What the sweeps that were started on a machine don't measure.
struct LeftOut {
  plan::Skips skipped{};
  std::map<Case, double> pruned{};  ///< predicted time / the fastest one's
};
[[nodiscard]] LeftOut left_out_of(const results::Store& store, results::MachineId id,
                                  const Machine& machine);

/// What sweep.prune_by says of a sweep's cases beside those known.
[[nodiscard]] Predictions missing_predictions(const plan::Sweep& sweep, const plan::SweepPlan& plan,
                                              const Predictions& known);

/// Lines that say what a sweep skips and leaves out, what is measured, and how long that takes
/// probably.
/// @param budget  what is left of it; infinite: none
/// @param whole  also the problems of each collective, and the upper limit
[[nodiscard]] std::vector<std::string> plan_lines(const plan::Sweep& sweep, const Outlook& outlook,
                                                  Seconds budget, bool whole = false);

/// "collectives not measured: alltoall, barrier ...", of a sweep with the default collectives; else
/// empty.
[[nodiscard]] std::string left_out_line(const plan::Sweep& sweep);

/// What to say behind a forecast that only the rough model makes.
inline constexpr std::string_view kGuess = "; a rough guess until something is measured";

/// What to say beside a number of measurements that refinement will add to.
inline constexpr std::string_view kRefinementToCome =
    "refinement comes on top: which sizes, and how many, depends on the results";

}  // namespace breakeven::session
