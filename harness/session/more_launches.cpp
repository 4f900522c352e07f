// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/more_launches.hpp"

#include <algorithm>
#include <map>

#include "harness/plan/shuffle.hpp"

namespace breakeven::session {

namespace {}  // namespace

plan::SweepPlan plan_of_more(const std::set<Case>& cases,
                             std::span<const results::StoredLaunch> begun, int launches) {
  std::map<int, int> next;  // repeat at each p
  for (const results::StoredLaunch& each : begun) {
    int& repeat = next[each.launch.layout.procs];
    repeat = std::max(repeat, each.launch.repeat + 1);
  }
  std::map<NodeLayout, std::map<Case, std::vector<Case>>> by_layout;
  for (const Case& each : cases) {
    by_layout[layout_of(each)][without_algorithm(each)].push_back(each);
  }
  plan::SweepPlan plan;
  for (int launch = 0; launch < launches; ++launch) {
    for (const auto& [layout, by_problem] : by_layout) {
      const int repeat = next[layout.procs] + launch;
      plan::PlannedLaunch planned{
          .layout = layout,
          .repeat = repeat,
          .seed = plan::mixed_seed(1, static_cast<std::uint64_t>(layout.procs),
                                   static_cast<std::uint64_t>(repeat)),
          .cases = {}};
      std::vector<std::vector<Case>> order;
      for (const auto& [problem, of_problem] : by_problem) order.push_back(of_problem);
      plan::shuffle(order, planned.seed);
      for (const std::vector<Case>& each : order) {
        planned.cases.insert(planned.cases.end(), each.begin(), each.end());
      }
      plan.launches.push_back(std::move(planned));
    }
  }
  return plan;
}

}  // namespace breakeven::session
