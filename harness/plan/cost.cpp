// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace breakeven::plan {

namespace {

/// Starting a job's processes one after the other.
double rough_start(int procs) { return 0.3 + 0.02 * procs; }

}  // namespace

void Cost::add(const NodeLayout& layout, std::size_t measured, Seconds took) {
  constexpr double kHour = 3600;
  ++launches;
  measurements += measured;
  time = time + took;
  node_hours += took.value * layout.nodes / kHour;
}

Seconds least_cost(Seconds call, const protocol::MeasurePlan& measure) {
  return {std::max(measure.min_time.value, measure.min_repetitions * call.value)};
}

Cost most_cost(const SweepPlan& plan, const protocol::MeasurePlan& measure) {
  const double each = std::max(measure.case_budget.value, measure.min_time.value);
  Cost cost;
  for (const PlannedLaunch& launch : plan.launches) {
    cost.add(launch.layout, launch.cases.size(), {each * static_cast<double>(launch.cases.size())});
  }
  return cost;
}

std::string to_text(const Cost& cost) {
  std::string text = fmt::format(
      "{} measurement{} in {} launch{}, {}", cost.measurements, cost.measurements == 1 ? "" : "s",
      cost.launches, cost.launches == 1 ? "" : "es", rough_text({std::ceil(cost.time.value)}));
  constexpr double kHour = 3600;
  const bool one_node = cost.node_hours * kHour <= cost.time.value * (1 + 1e-9);
  if (!one_node) text += fmt::format(", {:.2g} node-hours", cost.node_hours);
  return text;
}

void Forecast::add(std::span<const Case> cases, Seconds took) {
  Seen& seen = measured_[cases.front().procs];
  seen.rough += rough(cases);
  seen.seconds += took.value;
}

void Forecast::add_start(int procs, Seconds took) {
  Seen& seen = started_[procs];
  seen.rough += rough_start(procs);
  seen.seconds += took.value;
}

/// As much longer or shorter as what was seen at the p that is nearest by ratio.
double Forecast::corrected(double rough, const ByProcs& seen, int procs) {
  const auto nearest = std::ranges::min_element(seen, {}, [&](const auto& entry) {
    return std::abs(std::log(static_cast<double>(entry.first) / procs));
  });
  return nearest == seen.end() ? rough : rough * nearest->second.seconds / nearest->second.rough;
}

/// Calls pass their data once, at a network's or a memory's usual speed; as long again go into
/// checks, and into medians that are not precise at once. Where processes take turns, none gets
/// precise.
double Forecast::rough(std::span<const Case> cases) const {
  constexpr double kRound = 2e-6;
  constexpr double kByte = 1e-9;
  double sum = 0;
  for (const Case& what : cases) {
    const double call =
        kRound * (1 + std::log2(what.procs)) + kByte * static_cast<double>(total_bytes(what).value);
    sum += what.procs_per_node > slots_ ? std::max(measure_.case_budget, measure_.min_time).value
                                        : 2 * least_cost({call}, measure_).value;
  }
  return sum;
}

Seconds Forecast::measuring(std::span<const Case> cases) const {
  return {corrected(rough(cases), measured_, cases.front().procs)};
}

Seconds Forecast::start(int procs) const {
  return {corrected(rough_start(procs), started_, procs)};
}

Cost Forecast::of(const std::map<Case, int>& launches, Seconds budget) const {
  struct Job {
    std::set<Case> problems{};
    std::vector<Case> cases{};
  };
  std::map<std::pair<int, NodeLayout>, Job> jobs;  // the first of each layout, then the second ...
  for (const auto& [what, of_case] : launches) {
    const NodeLayout layout = layout_of(what);
    for (int launch = 1; launch <= of_case; ++launch) {
      Job& job = jobs[{launch, layout}];
      job.problems.insert(without_algorithm(what));
      job.cases.push_back(what);
    }
  }
  Cost cost;
  for (const auto& [key, job] : jobs) {
    const NodeLayout& layout = key.second;
    const Seconds begin = start(layout.procs);
    const Seconds work = measuring(job.cases);
    const auto problems = static_cast<double>(job.problems.size());
    const double left = (budget.value - cost.time.value - begin.value) / work.value;
    const double part = std::min(1.0, std::floor(problems * left) / problems);
    if (part <= 0) break;
    const double cases = part * static_cast<double>(job.cases.size());
    cost.add(layout, static_cast<std::size_t>(cases), begin + Seconds{part * work.value});
  }
  return cost;
}

}  // namespace breakeven::plan
