// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/run_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "harness/doctor/examine.hpp"
#include "harness/launch/job.hpp"
#include "harness/plan/model_machine.hpp"
#include "harness/plan/order.hpp"
#include "harness/session/library_launch.hpp"
#include "harness/session/look.hpp"
#include "harness/session/outlook.hpp"
#include "harness/session/session.hpp"
#include "harness/session/target.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::session {

namespace {

/// The reason why a model has no time of a case.
std::optional<std::string> refusal(plan::ModelMachine& machine, const Case& what) {
  try {
    if (machine.exact_time(what)) return std::nullopt;
    return plan::Predictor::too_much_text();
  } catch (const UsageError& error) {
    return error.what();
  }
}

void run_on_model(Session& session, plan::ModelMachine& machine,
                  const plan::PlannedLaunch& planned) {
  const protocol::MeasurePlan& plan = session.request().sweep.measure;
  results::Store::Batch batch = session.store().batch();
  Launch record = launch_record(planned, plan);
  record.sync.reset();
  record.clock_sync.reset();
  record.timer.reset();
  const results::LaunchId launch = session.begin(record);
  session.started(planned.layout, {});
  for (const plan::CandidateRange problem : plan::problems_of(planned.cases)) {
    if (session.over()) break;
    const Clock::time_point began = Clock::now();
    protocol::MeasureRequest request{
        .seed = plan::mixed_seed(planned.seed, static_cast<std::uint64_t>(problem.first), 0),
        .measure = plan};
    const auto first = planned.cases.begin() + problem.first;
    const std::span cases{first, first + problem.count};
    for (const Case& what : cases) {
      const std::optional<std::string> refused = refusal(machine, what);
      if (refused) {
        session.add_failure(launch, what, *refused);
      } else {
        request.cases.push_back(what);
      }
    }
    for (const protocol::CaseDone& done : machine.measure(request, planned.repeat)) {
      session.add(launch, request.cases.at(static_cast<std::size_t>(done.id)), done.result);
    }
    session.done(cases, since(began));
  }
  const auto over = session.over();
  session.store().end(launch, over ? over->why : "complete");
  batch.commit();
}

/// Examines the nodes before the first measurement: stores all findings, and tells the warnings.
void look_over(Session& session, const launch::Library& library, const protocol::JobInfo& host,
               const plan::Sweep& sweep) {
  const NodeLayout layout = plan::largest_job(sweep);
  const doctor::Examination found =
      examine_job(library, launch::place_on(host, layout),
                  session.request().patience + session.forecast().start(layout));
  session.store().inspected(session.machine(), doctor::report_json(found));
  for (const doctor::Finding& finding : found.findings) {
    if (finding.verdict.severity != doctor::Severity::warning) continue;
    session.listener().say(fmt::format("warning: {}: {}", finding.name, finding.verdict.seen));
  }
}

}  // namespace

void check_patience(const SweepRequest& request) {
  if (!(request.patience.value > 0 && std::isfinite(request.patience.value))) {
    throw UsageError(fmt::format("case time-out of {} s asked for; it must be positive and finite",
                                 request.patience.value));
  }
  if (!(request.budget.value > 0)) {
    throw UsageError(
        fmt::format("budget of {} s asked for; it must be positive", request.budget.value));
  }
}

void check_library_sweep(const plan::Sweep& sweep) {
  if (sim::is_model(sweep.machine)) {
    throw UsageError(
        fmt::format("'{}' is a model, which starts no jobs; possible: mpich, openmpi, "
                    "smpi:PLATFORM.xml",
                    sweep.machine));
  }
  plan::check_sweep(sweep, MachineKind::library, libraries::known_capabilities(sweep.machine));
}

namespace {

using MakePlan = std::function<plan::SweepPlan(MachineKind kind, const LibraryCapabilities&)>;

PlanRun plan_model_run(const plan::Sweep& sweep, const MakePlan& make_plan) {
  const plan::Model model = plan::parse_model(sweep.machine);
  const auto machine = std::make_shared<plan::ModelMachine>(model);
  // Before the braces: GCC 12 destroys members twice where an exception leaves an aggregate's.
  plan::SweepPlan plan = make_plan(MachineKind::model, LibraryCapabilities{});
  return {.machine = {.name = plan::to_text(model),
                      .kind = MachineKind::model,
                      .library_version = plan::identity_of(model)},
          .plan = std::move(plan),
          .forecast = plan::Forecast{sweep.measure},
          .measure = [machine](Session& session, const plan::PlannedLaunch& launch) {
            run_on_model(session, *machine, launch);
          }};
}

/// @throws UsageError when the request is not possible
PlanRun plan_run(const SweepRequest& request, Listener& listener, const MakePlan& make_plan) {
  check_patience(request);
  if (sim::is_model(request.sweep.machine)) return plan_model_run(request.sweep, make_plan);
  const auto target = std::make_shared<const Target>(find_target(request, listener));
  listener.at("planning");
  plan::SweepPlan plan = make_plan(MachineKind::library, target->capabilities);
  PlanRun run{.machine = target->machine,
              .capabilities = target->capabilities,
              .plan = std::move(plan),
              .forecast = target->forecast(request.sweep)};
  static_cast<void>(target->commands(request.sweep));  // not every launcher has every mapping
  run.prepare = [target](Session& session) {
    if (!session.request().doctor || target->simulated) return;
    constexpr double kShare = 0.1;
    const plan::Sweep& sweep = session.request().sweep;
    const Seconds start = session.forecast().start(plan::largest_job(sweep));
    if (start.value > kShare * session.left().value) {
      session.listener().say("not examined for disturbances, for want of time: breakeven doctor");
      return;
    }
    look_over(session, target->library, target->host, sweep);
  };
  run.measure = [target](Session& session, const plan::PlannedLaunch& launch) {
    LibraryLaunch{session, target->library, target->host, launch}.run();
  };
  return run;
}

PlanRun sweep_run(const SweepRequest& request, Listener& listener) {
  if (!sim::is_model(request.sweep.machine)) check_library_sweep(request.sweep);
  return plan_run(request, listener,
                  [&](MachineKind kind, const LibraryCapabilities& capabilities) {
                    return plan::make_plan(request.sweep, kind, capabilities);
                  });
}

}  // namespace

SweepSummary run_sweep(const SweepRequest& request, Listener& listener) {
  launch::remember_interrupts();
  return run_plan(request, sweep_run(request, listener), listener);
}

std::vector<std::string> dry_run(const SweepRequest& request, Listener& listener) {
  const plan::Sweep& sweep = request.sweep;
  PlanRun run = sweep_run(request, listener);
  Held known;
  Predictions predictions;
  if (std::filesystem::exists(request.database)) {
    const results::Store store{request.database, results::Store::Access::read};
    for (const auto& [id, machine] : store.machines()) {
      if (machine != run.machine) continue;
      known = held(store, id);
      predictions = store.predictions(id, sweep.prune_by);
    }
  }
  predictions.merge(missing_predictions(sweep, run.plan, predictions));
  const Outlook outlook{sweep, std::move(run.plan), std::move(predictions), known, run.forecast};
  return plan_lines(sweep, outlook, request.budget, true);
}

SweepSummary run_fixed(const SweepRequest& request, const plan::SweepPlan& plan,
                       Listener& listener) {
  launch::remember_interrupts();
  const auto as_given = [&](MachineKind, const LibraryCapabilities&) { return plan; };
  return run_plan(request, plan_run(request, listener, as_given), listener);
}

}  // namespace breakeven::session
