// SPDX-License-Identifier: BSD-3-Clause
#include "cli/run_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/cost_text.hpp"
#include "cli/library_launch.hpp"
#include "cli/refine.hpp"
#include "cli/session.hpp"
#include "cli/settings.hpp"
#include "cli/target.hpp"
#include "core/error.hpp"
#include "harness/doctor/examine.hpp"
#include "harness/doctor/report.hpp"
#include "harness/launch/interrupt.hpp"
#include "harness/model_machine.hpp"
#include "harness/order.hpp"
#include "harness/shuffle.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven {

namespace {

void run_on_model(Session& session, ModelMachine& machine, const PlannedLaunch& planned) {
  const MeasurePlan& plan = session.request().sweep.measure;
  Store::Batch batch = session.store().batch();
  Launch record = launch_record(planned, plan);
  record.start.reset();
  record.clock.reset();
  record.timer.reset();
  const LaunchId launch = session.begin(record);
  for (const CandidateRange problem : problems_of(planned.cases)) {
    const auto first = planned.cases.begin() + problem.first;
    const MeasureRequest request{
        .seed = mixed_seed(planned.seed, static_cast<std::uint64_t>(problem.first), 0),
        .measure = plan,
        .first_id = problem.first,
        .cases = {first, first + problem.count}};
    for (const Done& done : machine.measure(request, planned.repeat)) {
      session.add(launch, planned, planned.cases.at(static_cast<std::size_t>(done.id)), done);
    }
  }
  session.store().end(launch, "complete");
  batch.commit();
}

/// A plan less what the database holds of it.
struct Rest {
  Plan open{};
  std::size_t failed_before = 0;  ///< held, but only as failures
};

Rest rest_of(const Plan& plan, const Store& store, MachineId machine, const SweepRequest& request) {
  std::set<std::pair<Case, int>> measured;
  std::set<std::pair<Case, int>> stored;
  for (const Stored& row : store.stored(machine)) {
    if (row.failure.empty()) measured.emplace(row.what, row.repeat);
    if (row.failure.empty() || !request.retry_failed) stored.emplace(row.what, row.repeat);
  }
  Rest rest{.open = remaining(plan, stored)};
  rest.failed_before = measurements(remaining(plan, measured)) - measurements(rest.open);
  return rest;
}

/// Not every launcher can say every mapping.
void refuse_layouts_without_words(const Library& library, const Plan& plan) {
  for (const PlannedLaunch& launch : plan.launches) {
    static_cast<void>(job_command(library, {layout_of(launch)}));
  }
}

/// What makes measurements here worth less, said and stored before the first one.
void look_over(Session& session, const Library& library, const Hello& host, const Sweep& sweep) {
  const NodeLayout layout = layout_of(sweep, std::ranges::max(sweep.procs));
  const Examination found = examine_job(
      library, {layout, oversubscribed(host, layout.procs_per_node)}, session.request().patience);
  session.store().inspected(session.machine(), report_json(found));
  for (const Finding& finding : found.findings) {
    if (finding.verdict.severity != Severity::warning) continue;
    session.progress().say(fmt::format("warning: {}: {}", finding.name, finding.verdict.seen));
  }
}

/// Takes stock of what the database holds of a plan, says so, and gives what is left of it.
Plan take_stock(Session& session, const Plan& plan) {
  Rest rest = rest_of(plan, session.store(), session.machine(), session.request());
  const std::size_t stored = measurements(plan) - measurements(rest.open) - rest.failed_before;
  session.summary().failed_before += rest.failed_before;
  session.summary().stored_before += stored;
  session.progress().expect(measurements(rest.open));
  if (stored > 0) {
    session.progress().say(fmt::format("{} of {} are stored already", stored, measurements(plan)));
  }
  return std::move(rest.open);
}

/// Runs the launches of a plan with `measure`, until all are done or the session is over.
template <typename Measure>
void run_launches(Session& session, Plan plan, const Measure& measure) {
  std::size_t number = 0;
  for (PlannedLaunch& launch : plan.launches) {
    ++number;
    session.leave_out_dropped(launch);
    if (session.over()) break;
    if (launch.cases.empty()) continue;
    session.progress().begin_part(fmt::format("p = {}, repeat {}, launch {} of {}", launch.procs,
                                              launch.repeat, number, plan.launches.size()));
    measure(session, launch);
  }
}

/// Runs every launch of what is left of the plan with `measure`, after `prepare` if there is any,
/// then those of the rounds that refine it.
template <typename Prepare, typename Measure>
SweepSummary run_plan(const SweepRequest& request, const Machine& machine,
                      const LibraryOffer& offer, const Plan& plan, const Prepare& prepare,
                      const Measure& measure) {
  Store store{request.database, Store::Access::fill};
  const MachineId id = store.add(machine);
  store.remember(id, offer);
  store.remember(id, to_toml(request.sweep));
  Session session{store, id, request};
  for (const auto& [words, procs] : plan.left_out) {
    session.progress().say(fmt::format("left out at p = {}: {}", fmt::join(procs, ","), words));
  }
  bool begun = false;
  const auto run = [&](const Plan& whole) {
    Plan open = take_stock(session, whole);
    if (open.launches.empty()) return;
    if (!std::exchange(begun, true)) {
      if (machine.kind == MachineKind::library) {
        session.progress().say(to_text(most_cost(open, request.sweep.measure)));
      }
      if (request.sweep.refine) session.progress().say(std::string{kRefinementToCome});
      prepare(session);
    }
    run_launches(session, std::move(open), measure);
  };
  run(plan);
  Refining refining{request.sweep, plan};
  while (request.sweep.refine && !session.over()) {
    const std::optional<Plan> round = refining.next(store.measurements(id));
    session.summary().refined = refining.words();
    if (!round) break;
    session.progress().say(session.summary().refined);
    run(*round);
  }
  session.summary().over = session.over();
  return session.summary();
}

}  // namespace

SweepSummary run_sweep(const SweepRequest& request) {
  if (!(request.patience.value > 0 && std::isfinite(request.patience.value))) {
    throw UsageError(fmt::format("case time-out of {} s asked for; it must be positive and finite",
                                 request.patience.value));
  }
  if (!(request.budget.value > 0)) {
    throw UsageError(
        fmt::format("budget of {} s asked for; it must be positive", request.budget.value));
  }
  remember_interrupts();
  if (is_model(request.sweep.machine)) {
    const Model model = parse_model(request.sweep.machine);
    const Plan plan = make_plan(request.sweep, MachineKind::model);
    ModelMachine machine{model};
    return run_plan(
        request, {.name = to_text(model), .kind = MachineKind::model}, {}, plan, [](Session&) {},
        [&](Session& session, const PlannedLaunch& launch) {
          run_on_model(session, machine, launch);
        });
  }
  check_sweep(request.sweep, MachineKind::library, known_offer(request.sweep.machine));
  const Target target = find_target(request);
  const Plan plan = make_plan(request.sweep, MachineKind::library, target.offer);
  refuse_layouts_without_words(target.library, plan);
  return run_plan(
      request, target.machine, target.offer, plan,
      [&](Session& session) {
        if (!request.doctor || target.simulated) return;
        look_over(session, target.library, target.host, request.sweep);
      },
      [&](Session& session, const PlannedLaunch& launch) {
        LibraryLaunch{session, target.library, target.host, launch}.run();
      });
}

}  // namespace breakeven
