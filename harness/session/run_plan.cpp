// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/run_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "harness/plan/cost.hpp"
#include "harness/session/refine.hpp"

namespace breakeven::session {

namespace {

/// A plan less what the database holds of it.
struct Rest {
  plan::SweepPlan open{};
  std::size_t failed_before = 0;  ///< held, but only as failures
};

Rest rest_of(const plan::SweepPlan& plan, const results::Store& store, results::MachineId machine,
             const SweepRequest& request) {
  std::set<std::pair<Case, int>> measured;
  std::set<std::pair<Case, int>> stored;
  for (const results::CaseStatus& row : store.case_statuses(machine)) {
    if (row.failure.empty()) measured.emplace(row.what, row.repeat);
    if (row.failure.empty() || !request.retry_failed) stored.emplace(row.what, row.repeat);
  }
  Rest rest{.open = plan::remaining(plan, stored)};
  rest.failed_before =
      plan::measurements(plan::remaining(plan, measured)) - plan::measurements(rest.open);
  return rest;
}

/// Takes stock of what the database holds of a plan, says so, and gives what is left of it.
plan::SweepPlan take_stock(Session& session, const plan::SweepPlan& plan) {
  Rest rest = rest_of(plan, session.store(), session.machine(), session.request());
  const std::size_t stored =
      plan::measurements(plan) - plan::measurements(rest.open) - rest.failed_before;
  session.summary().failed_before += rest.failed_before;
  session.summary().stored_before += stored;
  session.listener().expect(plan::measurements(rest.open));
  if (stored > 0) {
    session.listener().say(
        fmt::format("{} of {} are stored already", stored, plan::measurements(plan)));
  }
  return std::move(rest.open);
}

/// Runs the launches of a plan with `measure`, until all are done or the session is over.
void run_launches(Session& session, plan::SweepPlan plan,
                  const std::function<void(Session&, plan::PlannedLaunch&)>& measure) {
  std::size_t number = 0;
  for (plan::PlannedLaunch& launch : plan.launches) {
    ++number;
    session.leave_out_pruned(launch);
    if (session.over()) break;
    if (launch.cases.empty()) continue;
    session.listener().begin_part(fmt::format("p = {}, repeat {}, launch {} of {}",
                                              launch.layout.procs, launch.repeat, number,
                                              plan.launches.size()));
    measure(session, launch);
  }
}

}  // namespace

SweepSummary run_plan(const SweepRequest& request, const PlanRun& what, Listener& listener) {
  results::Store store{request.database, results::Store::Access::fill};
  const results::MachineId id = store.add(what.machine);
  store.remember(id, what.capabilities);
  if (!request.text.empty()) store.remember(id, request.text);
  Session session{store, id, request, listener};
  for (const auto& [text, procs] : what.plan.skipped) {
    session.listener().say(fmt::format("skipped at p = {}: {}", fmt::join(procs, ","), text));
  }
  bool begun = false;
  const auto run = [&](const plan::SweepPlan& whole) {
    plan::SweepPlan open = take_stock(session, whole);
    if (open.launches.empty()) return;
    if (!std::exchange(begun, true)) {
      if (what.machine.kind == MachineKind::library) {
        session.listener().say(plan::to_text(plan::most_cost(open, request.sweep.measure)));
      }
      if (request.sweep.refine) session.listener().say(std::string{kRefinementToCome});
      if (what.prepare) what.prepare(session);
    }
    run_launches(session, std::move(open), what.measure);
  };
  run(what.plan);
  Refining refining{request.sweep, what.plan};
  while (request.sweep.refine && !session.over()) {
    const std::optional<plan::SweepPlan> round = refining.next(store.measurements(id));
    session.summary().refined = refining.text();
    if (!round) break;
    session.listener().say(session.summary().refined);
    run(*round);
  }
  session.summary().over = session.over();
  return session.summary();
}

}  // namespace breakeven::session
