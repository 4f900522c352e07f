// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/launch.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/session/run_sweep.hpp"
#include "results/records.hpp"
#include "tuner/verify/trial.hpp"
#include "tuner/verify/verification.hpp"

namespace breakeven::session {

/// Launches in which each problem is solved by default and with each of its tables, except where
/// both are the same call.
/// @param beside_default  a table in force (Tuned) and the default take turns in one launch; else
///                        they have two launches, which follow each other in a random order
[[nodiscard]] plan::SweepPlan plan_of_trial(std::span<const verify::TriedProblem> problems,
                                            const verify::Trial& trial, bool beside_default);

/// More launches of these cases at each of their layouts.
/// @param begun  the database's launches: the new ones are numbered after these
[[nodiscard]] plan::SweepPlan plan_of_more(const std::set<Case>& cases,
                                           std::span<const results::StoredLaunch> begun,
                                           int launches);

/// Tries tables: launches with one in force get its environment.
/// @param request      names the machine and the layout; its sweep's own plan is not run
/// @param of_table     the machine of the tables
/// @param environment  that puts the library's table in force: "NAME=value"
/// @throws UsageError when this is another version of the library than the table's.
[[nodiscard]] SweepSummary run_trial(const SweepRequest& request, const plan::SweepPlan& plan,
                                     const Machine& of_table,
                                     const std::vector<std::string>& environment,
                                     Listener& listener);

/// Measures cases in new launches, round after round, as the machine's last sweep in the request's
/// database did, until none are left, the request's time is over, or nothing new is measured.
/// @param open  the cases of the first round
/// @param left  the cases that are left after a round
void measure_until_none(SweepRequest request, results::MachineId machine, std::set<Case> open,
                        const std::function<std::set<Case>()>& left, Listener& listener);

/// All measurements in a trial's database.
[[nodiscard]] std::vector<Measurement> measured_in(const std::string& database);

}  // namespace breakeven::session
