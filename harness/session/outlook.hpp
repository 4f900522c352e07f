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
#include "tables/provenance.hpp"
#include "tuner/agreement.hpp"

namespace breakeven::session {

/// A database's content about a machine, read once.
struct Held {
  std::vector<results::Failure> failures{};
  std::vector<Measurement> measurements{};
  std::vector<results::StoredLaunch> launches{};
};
[[nodiscard]] Held held(const results::Store& store, results::MachineId machine);

/// Teaches a forecast the times of the launches.
void learn(plan::Forecast& forecast, const Held& held);

/// The rest of a sweep, given a database's content about its machine, and the time that it takes.
struct Outlook {
  plan::SweepPlan plan;
  plan::Forecast forecast;
  Agenda agenda;

  /// @param asked  the whole plan of the requested sweep
  /// @param predictions  by sweep.prune_by
  /// @param known  a forecast without the database
  Outlook(const plan::Sweep& sweep, plan::SweepPlan asked, Predictions predictions,
          const Held& held, plan::Forecast known);
};

/// The sweeps that were started on a machine.
[[nodiscard]] std::vector<plan::Sweep> sweeps_of(const results::Store& store,
                                                 results::MachineId id);

/// The rest of the sweeps that were started on a machine.
struct Remaining {
  std::map<Case, int> launches{};
  plan::Cost cost{};                  ///< of these
  bool guessed = false;               ///< the cost
  bool refinement_to_come = false;    ///< it depends on measurements to come
  std::vector<std::string> pruned{};  ///< of each sweep that prunes
};
[[nodiscard]] Remaining remaining_of(const results::Store& store, results::MachineId id,
                                     const Machine& machine, const Held& held);

/// The candidates that the sweeps on a machine leave out.
struct LeftOut {
  plan::Skips skipped{};
  std::map<Case, double> pruned{};  ///< predicted time / the fastest one's
};
[[nodiscard]] LeftOut left_out_of(const results::Store& store, results::MachineId id,
                                  const Machine& machine);

/// The predictions by sweep.prune_by of those cases of a sweep that are not known yet.
[[nodiscard]] Predictions missing_predictions(const plan::Sweep& sweep, const plan::SweepPlan& plan,
                                              const Predictions& known);

/// How well a model, or a machine file, predicts these measurements of a machine. Predictions that
/// the database holds are not computed again.
/// @throws UsageError when there is no such model, or when it can predict none of them.
[[nodiscard]] tuner::Agreements agreements_of(const std::string& model, const results::Store& store,
                                              results::MachineId id,
                                              std::span<const Measurement> measurements);

/// The provenance of a table that is made now of a database's measurements.
/// @param database  its path
/// @param command   that makes the table again
/// @param allowed   as tuner::TableKey has them
/// @throws UsageError as tuner::unsafe_lines does.
[[nodiscard]] tables::Provenance provenance_of(const results::Store& store, results::MachineId id,
                                               const std::string& database,
                                               const std::string& command,
                                               std::span<const Measurement> measurements,
                                               const libraries::AlgorithmNames& allowed);

/// Lines about the candidates that a sweep skips and leaves out, its measurements, and their
/// probable time.
/// @param budget  the rest of it; infinite: none
/// @param whole  also the problems of each collective, and the upper limit
[[nodiscard]] std::vector<std::string> plan_lines(const plan::Sweep& sweep, const Outlook& outlook,
                                                  Seconds budget, bool whole = false);

/// "collectives not measured: alltoall, barrier ...", of a sweep with the default collectives; else
/// empty.
[[nodiscard]] std::string left_out_line(const plan::Sweep& sweep);

/// Follows a forecast that only the rough model makes.
inline constexpr std::string_view kGuess = "; a rough guess until something is measured";

/// Goes with a number of measurements to which refinement will add.
inline constexpr std::string_view kRefinementToCome =
    "refinement comes on top: which sizes, and how many, depends on the results";

}  // namespace breakeven::session
