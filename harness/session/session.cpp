// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/plan/order.hpp"
#include "stats/launch_median.hpp"

namespace breakeven::session {

namespace {

plan::RaceRules rules_of(const plan::Sweep& sweep) {
  return {.indifference = sweep.measure.target_ci.threshold};
}

std::vector<double> values(const std::vector<Seconds>& durations) {
  std::vector<double> values;
  values.reserve(durations.size());
  for (const Seconds duration : durations) values.push_back(duration.value);
  return values;
}

}  // namespace

Session::Session(results::Store& store, results::MachineId machine, const SweepRequest& request,
                 Listener& listener)
    : store_{store},
      machine_{machine},
      request_{request},
      listener_{listener},
      race_{rules_of(request.sweep)} {
  for (const Measurement& measurement : store.measurements(machine)) race_.add(measurement);
}

std::optional<std::string> Session::over() const {
  if (const auto signal = launch::over_by_signal()) return signal;
  const std::chrono::duration<double> spent = Clock::now() - request_.since;
  if (spent.count() < request_.budget.value) return std::nullopt;
  return fmt::format("budget of {} s spent", request_.budget.value);
}

void Session::leave_out_pruned(plan::PlannedLaunch& launch) {
  if (!request_.sweep.measure.racing || launch.repeat < stats::kLeastLaunches) return;
  std::set<Case> pruned;
  results::Store::Batch batch = store_.batch();
  for (const plan::CandidateRange problem : plan::problems_of(launch.cases)) {
    const Case& any = launch.cases[static_cast<std::size_t>(problem.first)];
    for (const Pruned& each : race_.judge(without_algorithm(any))) {
      if (pruned.insert(each.what).second) store_.prune(machine_, each);
    }
  }
  batch.commit();
  const std::size_t skipped =
      std::erase_if(launch.cases, [&](const Case& what) { return pruned.contains(what); });
  summary_.pruned += skipped;
  listener_.prune(skipped);
}

results::LaunchId Session::begin(const Launch& launch) {
  launch_started_ = Clock::now();
  return store_.begin(machine_, launch);
}

void Session::add(results::LaunchId launch, const plan::PlannedLaunch& planned, const Case& what,
                  const CaseResult& result) {
  const protocol::MeasurePlan& plan = request_.sweep.measure;
  const std::vector<double> samples =
      values(plan.run_time == RunTime::local ? result.local : result.global);
  const auto& [interval, outliers] = stats::launch_median(samples, plan.drop_outliers);
  const std::chrono::duration<double> since = Clock::now() - launch_started_;
  store_.add(launch, what, result,
             {.median = Seconds{interval.median},
              .low = {interval.low},
              .high = {interval.high},
              .outliers = outliers,
              .ended = Seconds{since.count()}});
  race_.add({.what = what,
             .launch = static_cast<std::int64_t>(launch),
             .repeat = planned.repeat,
             .samples = interval.count,
             .median = {interval.median}});
  ++summary_.measured;
  listener_.advance();
}

void Session::add_failure(results::LaunchId launch, const Case& what, const std::string& reason) {
  store_.add_failure(launch, what, reason);
  ++summary_.failed;
  listener_.say(fmt::format("failed: {}: {}", to_text(what), reason));
  listener_.advance();
}

}  // namespace breakeven::session
