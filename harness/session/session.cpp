// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stats/launch_median.hpp"

namespace breakeven::session {

namespace {

std::vector<double> values(const std::vector<Seconds>& durations) {
  std::vector<double> values;
  values.reserve(durations.size());
  for (const Seconds duration : durations) values.push_back(duration.value);
  return values;
}

}  // namespace

Session::Session(results::Store& store, results::MachineId machine, const SweepRequest& request,
                 plan::Forecast forecast, Listener& listener)
    : store_{store},
      machine_{machine},
      request_{request},
      listener_{listener},
      forecast_{std::move(forecast)} {}

std::optional<launch::Ending> Session::over() const {
  if (auto signal = launch::over_by_signal()) return signal;
  if (!next_ && left().value > 0) return std::nullopt;
  return launch::Ending{spent(), {0}};
}

std::string Session::spent() const {
  return fmt::format("budget of {} s spent", request_.budget.value);
}

std::optional<std::string> Session::stopped() const {
  const auto ending = over();
  if (!ending) return std::nullopt;
  if (const auto signal = launch::over_by_signal()) return fmt::format("Stopped: {}.", signal->why);
  const std::string after = rough_text({request_.budget.value - std::max(0.0, left().value)});
  if (!next_ || left().value < 1) return fmt::format("Stopped after {}.", after);
  const std::string next = rough_text({std::ceil(next_->value)});
  if (!too_short()) {
    return fmt::format("Stopped after {} of {}: what comes next takes about {}.", after,
                       rough_text(request_.budget), next);
  }
  return fmt::format(
      "The budget of {} is too short: planning took {}, and a launch of one problem takes about "
      "{}.",
      rough_text(request_.budget), after, next);
}

Seconds Session::left() const {
  return {request_.budget.value - session::since(request_.since).value};
}

void Session::expect(plan::Loads loads) {
  loads_ = std::move(loads);
  tell();
}

/// The work of the layout's current launch, its first that is not done; null if none was expected.
plan::Load* Session::load_of(const NodeLayout& layout) {
  const auto found = std::ranges::find_if(loads_, [&](const auto& each) {
    return each.first.second == layout && each.second.measurements > 0;
  });
  return found == loads_.end() ? nullptr : &found->second;
}

void Session::started(const NodeLayout& layout, Seconds took) {
  forecast_.add_start(layout, took);
  if (plan::Load* load = load_of(layout)) load->started = true;
  tell();
}

void Session::done(std::span<const Case> cases, Seconds took) {
  const double rough = forecast_.rough(cases);
  const NodeLayout job = job_of(cases.front());
  forecast_.add(job.procs, rough, took);
  if (plan::Load* load = load_of(job)) {
    load->rough = std::max(0.0, load->rough - rough);
    load->measurements -= std::min(load->measurements, cases.size());
    load->problems -=
        load->measurements == 0 ? load->problems : std::min<std::size_t>(load->problems, 1);
  }
  tell();
}

void Session::tell() {
  const plan::Cost cost = forecast_.of(loads_, left());
  listener_.expect(cost.measurements, cost.time);
}

results::LaunchId Session::begin(const Launch& launch) {
  launch_started_ = Clock::now();
  return store_.begin(machine_, launch);
}

void Session::add(results::LaunchId launch, const Case& what, const CaseResult& result) {
  const protocol::MeasurePlan& plan = request_.sweep.measure;
  const std::vector<double> samples =
      values(plan.run_time == RunTime::local ? result.local : result.global);
  const auto& [interval, outliers] = stats::launch_median(samples, plan.drop_outliers);
  store_.add(launch, what, result,
             {.median = Seconds{interval.median},
              .low = {interval.low},
              .high = {interval.high},
              .outliers = outliers,
              .ended = since(launch_started_)});
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
