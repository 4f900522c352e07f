// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/trial_plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "harness/plan/shuffle.hpp"

namespace breakeven::session {

namespace {

using Ways = std::map<Case, std::vector<Case>>;  // of solving each problem

bool is_tuned(const Case& what) { return what.variant.is<Tuned>(); }

/// A launch with a table in force and one without, as far as either has anything to measure.
std::vector<plan::PlannedLaunch> launches_of(const plan::PlannedLaunch& empty, const Ways& ways,
                                             bool beside_default) {
  std::vector<Case> order;
  for (const auto& [problem, of_problem] : ways) order.push_back(problem);
  plan::shuffle(order, empty.seed);
  plan::PlannedLaunch without = empty;
  plan::PlannedLaunch with = empty;
  for (const Case& problem : order) {
    const std::vector<Case>& of_problem = ways.at(problem);
    // The worker knows by the tuned candidate that native has to be kept from the table.
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

}  // namespace

plan::SweepPlan plan_of_trial(std::span<const verify::TriedProblem> problems,
                              const verify::Trial& trial, bool beside_default) {
  std::map<NodeLayout, Ways> by_layout;
  for (const verify::TriedProblem& each : problems) {
    if (each.same_either_way()) continue;
    std::vector<Case>& ways = by_layout[layout_of(each.problem)][each.problem];
    if (ways.empty()) ways.push_back(each.by_default());
    ways.push_back(each.with_table);
  }
  plan::SweepPlan plan;
  for (int repeat = 0; repeat < trial.launches; ++repeat) {
    for (const auto& [layout, of_layout] : by_layout) {
      const plan::PlannedLaunch empty{
          .layout = layout,
          .repeat = repeat,
          .seed = plan::mixed_seed(trial.seed, static_cast<std::uint64_t>(layout.procs),
                                   static_cast<std::uint64_t>(repeat)),
          .cases = {}};
      std::ranges::move(launches_of(empty, of_layout, beside_default),
                        std::back_inserter(plan.launches));
    }
  }
  return plan;
}

}  // namespace breakeven::session
