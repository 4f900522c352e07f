// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/run_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "harness/plan/cost.hpp"
#include "harness/session/agenda.hpp"

namespace breakeven::session {

namespace {

using Key = std::pair<Case, int>;  // a case and its repeat

/// Of a plan, what the database holds.
struct Stock {
  std::set<Key> measured{};
  std::set<Key> failed{};
};

Stock stock_of(const results::Store& store, results::MachineId machine) {
  Stock stock;
  for (const results::CaseStatus& row : store.case_statuses(machine)) {
    (row.failure.empty() ? stock.measured : stock.failed).emplace(row.what, row.repeat);
  }
  return stock;
}

/// Takes stock of what the database holds of a plan, says so, and gives what is left of it.
plan::SweepPlan take_stock(Session& session, const plan::SweepPlan& plan) {
  Stock stock = stock_of(session.store(), session.machine());
  const std::size_t unmeasured = plan::measurements(plan::remaining(plan, stock.measured));
  if (!session.request().retry_failed) stock.measured.merge(stock.failed);
  plan::SweepPlan open = plan::remaining(plan, stock.measured);
  const std::size_t stored = plan::measurements(plan) - unmeasured;
  session.summary().failed_before = unmeasured - plan::measurements(open);
  session.summary().stored_before = stored;
  if (stored > 0) session.listener().say(fmt::format("{} are stored already", stored));
  return open;
}

/// Runs launches one after another until there is none or the session is over.
class Runner {
 public:
  Runner(Session& session, const PlanRun& what) : session_{session}, what_{what} {}

  void run(plan::PlannedLaunch launch) {
    session_.listener().begin_part(
        fmt::format("p = {}, launch {}", launch.layout.procs, launch.repeat + 1));
    what_.measure(session_, launch);
  }

  /// A fixed list.
  void run(plan::SweepPlan plan) {
    session_.listener().expect(plan::measurements(plan));
    for (plan::PlannedLaunch& launch : plan.launches) {
      if (session_.over()) return;
      run(std::move(launch));
    }
  }

  /// What is worth it, and what that then makes worth it.
  void run(Agenda agenda) {
    while (!session_.over()) {
      agenda.update(session_.store().case_statuses(session_.machine()),
                    session_.store().measurements(session_.machine()));
      std::optional<plan::PlannedLaunch> launch = agenda.next();
      session_.listener().expect(agenda.expected());
      if (!launch) {
        session_.summary().ended = agenda.text();
        return;
      }
      run(std::move(*launch));
    }
  }

 private:
  Session& session_;
  const PlanRun& what_;
};

/// Of a plan, the measurements that failed before, each under its own repeat again.
plan::SweepPlan failed_of(const plan::SweepPlan& open, const std::set<Key>& failed) {
  plan::SweepPlan again = open;
  for (plan::PlannedLaunch& launch : again.launches) {
    std::erase_if(launch.cases,
                  [&](const Case& what) { return !failed.contains({what, launch.repeat}); });
  }
  return plan::remaining(std::move(again), {});
}

}  // namespace

SweepSummary run_plan(const SweepRequest& request, const PlanRun& what, Listener& listener) {
  results::Store store{request.database, results::Store::Access::fill};
  const results::MachineId id = store.add(what.machine);
  store.remember(id, what.capabilities);
  const bool sweep = !request.text.empty();
  if (sweep) store.remember(id, request.text);
  Session session{store, id, request, listener};
  for (const auto& [text, procs] : what.plan.skipped) {
    listener.say(fmt::format("skipped at p = {}: {}", fmt::join(procs, ","), text));
  }
  plan::SweepPlan open = take_stock(session, what.plan);
  if (!open.launches.empty() && !session.over()) {
    if (what.machine.kind == MachineKind::library) {
      listener.say(plan::to_text(plan::most_cost(open, request.sweep.measure)));
    }
    if (request.sweep.refine) listener.say(std::string{kRefinementToCome});
    if (what.prepare) what.prepare(session);
  }
  Runner runner{session, what};
  if (sweep) {
    runner.run(failed_of(open, stock_of(store, id).failed));
    runner.run(Agenda{request.sweep, what.plan});
  } else {
    runner.run(std::move(open));
  }
  session.summary().over = session.over();
  return session.summary();
}

}  // namespace breakeven::session
