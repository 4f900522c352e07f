// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/launch.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/session/run_sweep.hpp"

namespace breakeven::session {

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
