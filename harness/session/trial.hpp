// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// Launches in which each problem is solved by default and with each table that it is tried with,
/// but for those where that is the same call.
/// @param beside_default  what a table in force (Tuned) makes of a problem stands in one launch
///                        with the default, in turns; else in two, which follow each other in an
///                        order drawn anew each time
[[nodiscard]] plan::SweepPlan plan_of_trial(std::span<const verify::TriedProblem> problems,
                                            const verify::Trial& trial, bool beside_default);

/// More launches of these cases at each of their layouts.
/// @param begun  what the database holds: the new launches are numbered after these
[[nodiscard]] plan::SweepPlan plan_of_more(const std::set<Case>& cases,
                                           std::span<const results::StoredLaunch> begun,
                                           int launches);

/// Tries tables: launches with one in force are started with what puts it there.
/// @param request      names the machine and where ranks lie; its sweep's own plan is not run
/// @param of_table     what the tables are for
/// @param environment  that puts the library's table in force, where it is tried: "NAME=value"
/// @throws UsageError when this is another version of the library than the table's.
[[nodiscard]] SweepSummary run_trial(const SweepRequest& request, const plan::SweepPlan& plan,
                                     const Machine& of_table,
                                     const std::vector<std::string>& environment,
                                     Listener& listener);

/// All that a trial's database holds.
[[nodiscard]] std::vector<Measurement> measured_in(const std::string& database);

}  // namespace breakeven::session
