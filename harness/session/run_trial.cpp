// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/run_trial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "harness/session/library_launch.hpp"
#include "harness/session/run_plan.hpp"
#include "harness/session/target.hpp"

namespace breakeven::session {

namespace {

void require_same_machine(const Machine& of_table, const Machine& here) {
  if (of_table.library_version == here.library_version) return;
  throw UsageError(fmt::format("the table is for '{}', but this is '{}'", of_table.library_version,
                               here.library_version));
}

void compare_settings(const Machine& of_table, const Machine& here, bool strict,
                      Listener& listener) {
  const std::string changed = difference(here.settings, of_table.settings);
  if (changed.empty()) return;
  const std::string text =
      fmt::format("the table was measured under other settings of {}: {}", here.name, changed);
  if (strict) throw UsageError(text);
  listener.say("warning: " + text);
}

}  // namespace

SweepSummary run_trial(const SweepRequest& request, const plan::SweepPlan& plan,
                       const Machine& of_table, const std::vector<std::string>& environment,
                       Listener& listener) {
  const Target target = find_target(request, listener);
  require_same_machine(of_table, target.machine);
  compare_settings(of_table, target.machine, request.strict, listener);
  launch::Library tuned = target.library;
  tuned.environment.insert(tuned.environment.end(), environment.begin(), environment.end());
  PlanRun run{.machine = target.machine,
              .capabilities = target.capabilities,
              .plan = plan,
              .forecast = target.forecast(request.sweep)};
  run.measure = [&](Session& session, const plan::PlannedLaunch& launch) {
    const bool with_table = std::ranges::any_of(
        launch.cases, [](const Case& what) { return what.variant.is<Tuned>(); });
    LibraryLaunch{session, with_table ? tuned : target.library, target.host, launch}.run();
  };
  return run_plan(request, run, listener);
}

std::vector<Measurement> measured_in(const std::string& database) {
  const results::Store store{database, results::Store::Access::read};
  std::vector<Measurement> all;
  for (const auto& [id, machine] : store.machines()) {
    const std::vector<Measurement> of_machine = store.measurements(id);
    all.insert(all.end(), of_machine.begin(), of_machine.end());
  }
  return all;
}

}  // namespace breakeven::session
