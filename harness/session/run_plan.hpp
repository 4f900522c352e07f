// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "core/launch.hpp"
#include "core/library_capabilities.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/session/run_sweep.hpp"
#include "harness/session/session.hpp"

namespace breakeven::session {

/// A plan to be measured on a machine, and how a launch of it is run there.
struct PlanRun {
  Machine machine{};
  LibraryCapabilities capabilities{};
  plan::SweepPlan plan{};
  plan::Forecast forecast;                  ///< by what is known beside the database
  std::function<void(Session&)> prepare{};  ///< before the first launch, if there is one
  std::function<void(Session&, plan::PlannedLaunch&)> measure{};
};

/// Runs what is left of the plan: of a sweep what is worth it (session/agenda.hpp), of a trial all.
/// Stores each case as it is finished.
/// @throws Error when a launch fails without getting anywhere.
[[nodiscard]] SweepSummary run_plan(const SweepRequest& request, const PlanRun& what,
                                    Listener& listener);

}  // namespace breakeven::session
