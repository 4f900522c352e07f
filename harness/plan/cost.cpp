// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/plan/order.hpp"

namespace breakeven::plan {

void Cost::add(const NodeLayout& layout, std::size_t measured, Seconds took, Seconds start) {
  constexpr double kHour = 3600;
  ++launches;
  measurements += measured;
  time = time + took;
  starts = starts + start;
  node_hours += took.value * layout.nodes / kHour;
}

OverlapCost overlap_cost(Seconds call, const protocol::MeasurePlan& measure) {
  constexpr double kCalls = 10;  // as long as the parts, one after the other
  constexpr int kMost = 5;
  const double one = std::max(call.value, 1e-9) * kCalls * kOverlapRounds;
  const int fits = std::clamp(static_cast<int>(measure.case_budget.value / one), 1, kMost);
  return {fits, {one * fits}};
}

Seconds least_cost(Seconds call, const protocol::MeasurePlan& measure) {
  return {std::max(measure.min_time.value, measure.min_repetitions * call.value)};
}

std::string to_text(const Cost& cost) {
  std::string text = fmt::format(
      "{} measurement{} in {} launch{}, {}", cost.measurements, cost.measurements == 1 ? "" : "s",
      cost.launches, cost.launches == 1 ? "" : "es", rough_text({std::ceil(cost.time.value)}));
  if (cost.starts.value > 0)
    text += fmt::format(" ({} of it to start jobs)", rough_text({std::ceil(cost.starts.value)}));
  constexpr double kHour = 3600;
  const bool one_node = cost.node_hours * kHour <= cost.time.value * (1 + 1e-9);
  if (!one_node) text += fmt::format(", {:.2g} node-hours", cost.node_hours);
  return text;
}

void Forecast::add_start(const NodeLayout& layout, Seconds took) {
  constexpr double kPast = 0.5;  // weight of a launch against the next: load and work change
  for (ByProcs* seen : {&started_, &measured_}) {
    const auto past = seen->find(layout.procs);
    if (past != seen->end())
      past->second = {kPast * past->second.rough, kPast * past->second.seconds};
  }
  Seen& seen = started_[layout.procs];
  seen.rough += rough_start(layout);
  seen.seconds += took.value;
}

void Forecast::add(int procs, double rough, Seconds took) {
  Seen& seen = measured_[procs];
  seen.rough += rough;
  seen.seconds += took.value;
}

/// The rough time, corrected by the ratio of seen to rough times at the p that is nearest by ratio.
double Forecast::corrected(double rough, const ByProcs& seen, int procs) {
  const auto nearest = std::ranges::min_element(seen, {}, [&](const auto& entry) {
    return std::abs(std::log(static_cast<double>(entry.first) / procs));
  });
  return nearest == seen.end() ? rough : rough * nearest->second.seconds / nearest->second.rough;
}

/// The number of processes that share a core.
double Forecast::turns(int procs_per_node) const { return std::max(1.0, procs_per_node / cores_); }

/// A core loads its processes one after the other, and the launcher handles each.
double Forecast::rough_start(const NodeLayout& layout) const {
  return 0.2 + 0.15 * turns(layout.procs_per_node) + 0.002 * layout.procs;
}

/// Calls pass their data once, at a network's or a memory's usual speed; the same time again goes
/// into checks, and into medians that are not precise at once. Where processes take turns, no
/// median gets precise.
double Forecast::rough(std::span<const Case> cases) const {
  constexpr double kRound = 2e-6;
  constexpr double kTurn = 50e-6;
  constexpr double kByte = 1e-9;
  double sum = 0;
  for (const Case& what : cases) {
    const double shared = turns(what.procs_per_node * what.comms_per_node);
    const double round = shared > 1 ? kTurn * shared : kRound;
    const double call = round * (1 + std::log2(what.procs)) +
                        kByte * shared * static_cast<double>(total_bytes(what).value);
    const double least = 2 * least_cost({call}, measure_).value;
    sum += shared > 1 ? std::max(measure_.case_budget.value, least) : least;
    if (what.form != CallForm::blocking) sum += overlap_cost({call}, measure_).time.value;
  }
  return sum;
}

Seconds Forecast::measuring(std::span<const Case> cases) const {
  const Case& any = cases.front();
  return {corrected(rough(cases), measured_, any.procs * any.comms_per_node)};
}

Seconds Forecast::start(const NodeLayout& layout) const {
  return {corrected(rough_start(layout), started_, layout.procs)};
}

Loads Forecast::loads(const SweepPlan& plan) const {
  Loads loads;
  for (const PlannedLaunch& launch : plan.launches) {
    loads[{static_cast<int>(loads.size()), launch.layout}] = {
        .problems = problems_of(launch.cases).size(),
        .measurements = launch.cases.size(),
        .rough = rough(launch.cases)};
  }
  return loads;
}

/// The first launch of each layout, then the second ...
Loads Forecast::loads(const std::map<Case, int>& launches) const {
  Loads loads;
  std::map<Case, int> problems;  // the launches of each
  for (const auto& [what, of_case] : launches) {
    const double each = rough({&what, 1});
    int& most = problems[without_algorithm(what)];
    most = std::max(most, of_case);
    for (int launch = 1; launch <= of_case; ++launch) {
      Load& load = loads[{launch, job_of(what)}];
      ++load.measurements;
      load.rough += each;
    }
  }
  for (const auto& [problem, most] : problems) {
    for (int launch = 1; launch <= most; ++launch) ++loads[{launch, job_of(problem)}].problems;
  }
  return loads;
}

Cost Forecast::of(const Loads& loads, Seconds budget) const {
  Cost cost;
  for (const auto& [key, load] : loads) {
    const NodeLayout& layout = key.second;
    const Seconds begin = load.started ? Seconds{} : start(layout);
    const double work = corrected(load.rough, measured_, layout.procs);
    const auto problems = static_cast<double>(load.problems);
    const double left = (budget.value - cost.time.value - begin.value) / work;
    const double part = std::min(1.0, std::floor(problems * left) / problems);
    if (part <= 0) break;
    const double cases = part * static_cast<double>(load.measurements);
    cost.add(layout, static_cast<std::size_t>(cases), begin + Seconds{part * work}, begin);
  }
  return cost;
}

Cost Forecast::most(const SweepPlan& plan) const {
  const double each = std::max(measure_.case_budget.value, measure_.min_time.value);
  Cost cost;
  for (const PlannedLaunch& launch : plan.launches) {
    const Seconds begin = start(launch.layout);
    Seconds took = begin;
    for (const Case& what : launch.cases) {
      const double overlap = what.form == CallForm::blocking ? 0 : measure_.case_budget.value;
      took.value += std::max(each, measuring({&what, 1}).value) + overlap;
    }
    cost.add(launch.layout, launch.cases.size(), took, begin);
  }
  return cost;
}

}  // namespace breakeven::plan
