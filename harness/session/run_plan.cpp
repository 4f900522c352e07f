// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "harness/plan/setting_text.hpp"
#include "harness/session/estimates.hpp"
#include "harness/session/library_launch.hpp"
#include "harness/session/outlook.hpp"
#include "harness/session/session.hpp"

namespace breakeven::session {

namespace {

using Key = std::pair<Case, int>;  // a case and its repeat

/// A database's measurements of a sweep or a trial.
struct Stock {
  std::set<Key> measured{};
  std::set<Key> failed{};
};

/// @param ours  whether a (case, repeat) belongs to it
Stock stock_of(const Held& held, const std::function<bool(const Key&)>& ours) {
  Stock stock;
  const auto add = [&](std::set<Key>& keys, const auto& row) {
    Key key{row.what, row.repeat};
    if (ours(key)) keys.insert(std::move(key));
  };
  for (const Measurement& each : held.measurements) add(stock.measured, each);
  for (const results::Failure& each : held.failures) add(stock.failed, each);
  return stock;
}

/// Runs launches one after another until none is left or the session is over.
class Runner {
 public:
  Runner(Session& session, const PlanRun& what) : session_{session}, what_{what} {}

  void run(plan::PlannedLaunch launch) {
    session_.listener().begin_part(
        fmt::format("{}, launch {}", procs_text(launch.layout), launch.repeat + 1));
    what_.measure(session_, launch);
  }

  /// A fixed list.
  void run(plan::SweepPlan plan) {
    session_.expect(session_.forecast().loads(plan));
    for (plan::PlannedLaunch& launch : plan.launches) {
      if (session_.over()) return;
      run(std::move(launch));
    }
  }

  /// The launches of an agenda; each may change the next ones.
  void run(Agenda agenda) {
    while (!session_.over()) {
      agenda.update(session_.store().failures(session_.machine()),
                    session_.store().measurements(session_.machine()));
      // A model's launches take no time of a machine: the database alone decides their order.
      const bool model = what_.machine.kind == MachineKind::model;
      std::optional<plan::PlannedLaunch> launch =
          agenda.next(model ? what_.forecast : session_.forecast(), session_.request().pays);
      say_relaxed(agenda.pruning());
      session_.expect(session_.forecast().loads(agenda.launches()));
      if (!launch) {
        const bool pays_no_more = session_.request().pays && agenda.next(session_.forecast());
        session_.summary().ended =
            pays_no_more ? "Done: another launch is expected to take longer than it saves."
                         : agenda.text();
        return;
      }
      run(std::move(*launch));
    }
  }

 private:
  /// Tells the user as soon as measurements contradict the predictions of a collective.
  void say_relaxed(const Pruning& pruning) {
    for (const auto& [collective, factor] : pruning.relaxed) {
      if (!relaxed_.insert(collective).second) continue;
      session_.listener().say(relaxed_text(collective, factor));
    }
  }

  Session& session_;
  const PlanRun& what_;
  std::set<Collective> relaxed_{};
};

/// The measurements that failed, each in a launch of its own number.
plan::SweepPlan again(const std::set<Key>& failed) {
  std::map<std::pair<int, NodeLayout>, plan::PlannedLaunch> launches;
  for (const auto& [what, repeat] : failed) {
    const NodeLayout job = job_of(what);
    plan::PlannedLaunch& launch = launches[{repeat, job}];
    launch.layout = job;
    launch.repeat = repeat;
    launch.cases.push_back(what);
  }
  plan::SweepPlan plan;
  for (auto& [key, launch] : launches) plan.launches.push_back(std::move(launch));
  return plan;
}

void say_stored(Session& session, const std::string& text) {
  if (session.summary().stored_before > 0) session.listener().say(text);
}

/// A fixed plan: a trial of tables.
void run_trial_plan(Session& session, const PlanRun& what) {
  std::set<Key> planned;
  for (const plan::PlannedLaunch& launch : what.plan.launches) {
    for (const Case& each : launch.cases) planned.emplace(each, launch.repeat);
  }
  const Held held = session::held(session.store(), session.machine());
  Stock stock = stock_of(held, [&](const Key& key) { return planned.contains(key); });
  session.summary().stored_before = stock.measured.size();
  say_stored(session,
             fmt::format("{} of {} are stored already", stock.measured.size(), planned.size()));
  if (!session.request().retry_failed) {
    session.summary().failed_before = stock.failed.size();
    stock.measured.merge(stock.failed);
  }
  plan::SweepPlan open = plan::remaining(what.plan, stock.measured);
  if (open.launches.empty() || session.over()) return;
  plan::Forecast& forecast = session.forecast();
  learn(forecast, held);
  session.listener().say(
      fmt::format("planned: probably {}", plan::to_text(forecast.of(forecast.loads(open)))));
  Runner{session, what}.run(std::move(open));
}

void run_sweep_plan(Session& session, const PlanRun& what, Predictions predictions) {
  const plan::Sweep& sweep = session.request().sweep;
  const Held held = session::held(session.store(), session.machine());
  Outlook outlook{sweep, what.plan, std::move(predictions), held, what.forecast};
  session.forecast() = outlook.forecast;
  Stock stock = stock_of(
      held, [&](const Key& key) { return outlook.agenda.knows(without_algorithm(key.first)); });
  session.summary().stored_before = stock.measured.size();
  say_stored(session, fmt::format("{} are stored already", stock.measured.size()));
  if (!session.request().retry_failed) {
    session.summary().failed_before = stock.failed.size();
    stock.failed.clear();
  }
  if ((outlook.agenda.next(outlook.forecast, session.request().pays) || !stock.failed.empty()) &&
      !session.over()) {
    for (const std::string& line : plan_lines(sweep, outlook, session.left())) {
      session.listener().say(line);
    }
    if (what.prepare) what.prepare(session);
  }
  Runner runner{session, what};
  runner.run(again(stock.failed));
  runner.run(std::move(outlook.agenda));
}

/// Times of two methods are never pooled, and never stand for each other.
/// @throws UsageError where the machine has launches by another method
void require_one_method(const results::Store& store, results::MachineId machine,
                        const SweepRequest& request) {
  const protocol::MeasurePlan& asked = request.sweep.measure;
  for (const results::StoredLaunch& each : store.launches(machine)) {
    const Launch& launch = each.launch;
    std::vector<std::string> theirs;
    std::vector<std::string> ours;
    const auto compare = [&](std::string_view option, const auto& one, const auto& other) {
      if (one == other) return;
      theirs.push_back(fmt::format("{} {}", option, plan::written(one)));
      ours.push_back(fmt::format("{} {}", option, plan::written(other)));
    };
    if (launch.sync) compare("--sync", *launch.sync, asked.sync);
    if (launch.timer) compare("--timer", *launch.timer, asked.timer);
    compare("--run-time", launch.run_time, asked.run_time);
    compare("--drop-outliers", launch.outliers_dropped, asked.drop_outliers);
    if (theirs.empty()) continue;
    throw UsageError(
        fmt::format("{} holds launches by {}; this sweep asks for {}: use another --db",
                    request.database, fmt::join(theirs, " "), fmt::join(ours, " ")));
  }
}

}  // namespace

SweepSummary run_plan(const SweepRequest& request, const PlanRun& what, Listener& listener) {
  results::Store store{request.database, results::Store::Access::fill};
  const results::MachineId id = store.add(what.machine);
  store.remember(id, what.capabilities);
  const bool sweep = !request.text.empty();
  Predictions predictions;
  if (sweep) {
    require_one_method(store, id, request);
    predictions = store.predictions(id, request.sweep.prune_by);
    Predictions missing = missing_predictions(request.sweep, what.plan, predictions);
    store.add(id, request.sweep.prune_by, missing);
    predictions.merge(missing);
    store.remember(id, request.text);
  }
  Session session{store, id, request, what.forecast, listener};
  if (sweep) {
    run_sweep_plan(session, what, std::move(predictions));
  } else {
    run_trial_plan(session, what);
  }
  store_estimates(store, id);
  session.summary().over = session.stopped();
  session.summary().too_short = session.too_short();
  session.summary().machine = id;
  return session.summary();
}

}  // namespace breakeven::session
