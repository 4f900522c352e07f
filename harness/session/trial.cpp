// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>

#include "core/error.hpp"
#include "harness/launch/job.hpp"
#include "harness/plan/order.hpp"
#include "harness/session/library_launch.hpp"
#include "harness/session/outlook.hpp"
#include "harness/session/target.hpp"
#include "stats/case_times.hpp"

namespace breakeven::session {

namespace {

using Ways = std::map<Case, std::vector<Case>>;  // of solving each problem

bool is_tuned(const Case& what) { return what.variant.is<Tuned>(); }

/// A launch with a table in force and one without, unless one of them is empty.
std::vector<plan::PlannedLaunch> launches_of(const plan::PlannedLaunch& empty, const Ways& ways,
                                             bool beside_default) {
  std::vector<Case> order;
  for (const auto& [problem, of_problem] : ways) order.push_back(problem);
  plan::shuffle(order, empty.seed);
  plan::PlannedLaunch without = empty;
  plan::PlannedLaunch with = empty;
  for (const Case& problem : order) {
    const std::vector<Case>& of_problem = ways.at(problem);
    // The tuned candidate tells the worker that native must not use the table.
    const bool together = beside_default && std::ranges::any_of(of_problem, is_tuned);
    for (const Case& way : of_problem) {
      (together || is_tuned(way) ? with : without).cases.push_back(way);
    }
  }
  std::vector<plan::PlannedLaunch> launches{std::move(without), std::move(with)};
  std::erase_if(launches, [](const plan::PlannedLaunch& each) { return each.cases.empty(); });
  plan::shuffle(launches, empty.seed);
  return launches;
}

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

plan::SweepPlan plan_of_trial(std::span<const verify::TriedProblem> problems,
                              const verify::Trial& trial, bool beside_default) {
  std::map<NodeLayout, Ways> by_layout;
  for (const verify::TriedProblem& each : problems) {
    if (each.same_either_way()) continue;
    std::vector<Case>& ways = by_layout[job_of(each.problem)][each.problem];
    if (ways.empty()) ways.push_back(each.by_default());
    ways.push_back(each.with_table);
  }
  plan::SweepPlan plan;
  for (int repeat = 0; repeat < trial.launches; ++repeat) {
    for (const auto& [layout, of_layout] : by_layout) {
      const plan::PlannedLaunch empty = plan::empty_launch(layout, repeat, trial.seed);
      std::ranges::move(launches_of(empty, of_layout, beside_default),
                        std::back_inserter(plan.launches));
    }
  }
  return plan;
}

plan::SweepPlan plan_of_more(const std::set<Case>& cases,
                             std::span<const results::StoredLaunch> begun, int launches) {
  std::map<int, int> next;  // repeat at each p
  for (const results::StoredLaunch& each : begun) {
    int& repeat = next[each.launch.layout.procs];
    repeat = std::max(repeat, each.launch.repeat + 1);
  }
  std::map<NodeLayout, Ways> by_layout;
  for (const Case& each : cases) {
    by_layout[job_of(each)][without_algorithm(each)].push_back(each);
  }
  plan::SweepPlan plan;
  for (int launch = 0; launch < launches; ++launch) {
    for (const auto& [layout, by_problem] : by_layout) {
      const int repeat = next[layout.procs] + launch;
      const auto problems = by_problem | std::views::values;
      plan::add_shuffled(plan.launches.emplace_back(plan::empty_launch(layout, repeat, 1)),
                         {problems.begin(), problems.end()});
    }
  }
  return plan;
}

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
    const bool with_table = std::ranges::any_of(launch.cases, is_tuned);
    LibraryLaunch{session, with_table ? tuned : target.library, target.host, launch}.run();
  };
  return run_plan(request, run, listener);
}

void measure_until_none(SweepRequest request, results::MachineId machine, std::set<Case> open,
                        const std::function<std::set<Case>()>& left, Listener& listener) {
  request.doctor = false;
  check_patience(request);
  launch::remember_interrupts();
  while (!open.empty()) {
    Machine measured;
    plan::SweepPlan more;
    {  // closed before a launch opens the file to write
      const results::Store store{request.database, results::Store::Access::read};
      const std::vector<plan::Sweep> sweeps = sweeps_of(store, machine);
      if (!sweeps.empty()) request.sweep = sweeps.back();
      measured = store.machines().at(machine);
      more = plan_of_more(open, store.launches(machine), stats::kLeastLaunches);
    }
    request.sweep.machine = measured.name;
    request.sweep.refine = false;
    request.sweep.measure.racing = false;
    const SweepSummary summary = run_trial(request, more, measured, {}, listener);
    open = left();
    if (summary.over || summary.measured == 0) return;
  }
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
