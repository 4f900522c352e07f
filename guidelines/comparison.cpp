// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/comparison.hpp"

#include <algorithm>
#include <iterator>

namespace breakeven::guidelines {

Problems::Problems(std::span<const Measurement> measurements) {
  for (stats::CaseTimes& times : stats::group_by_case(measurements)) {
    std::vector<stats::CaseTimes>& of_problem = all_[without_algorithm(times.what)];
    of_problem.push_back(std::move(times));
  }
}

const stats::CaseTimes* Problems::native(const Case& problem) const {
  const auto found = all_.find(problem);
  if (found == all_.end()) return nullptr;
  const auto native = std::ranges::find_if(
      found->second, [](const stats::CaseTimes& each) { return each.what.variant.is<Native>(); });
  return native == found->second.end() ? nullptr : &*native;
}

stats::CaseTimes numbered(const stats::CaseTimes& times) {
  stats::CaseTimes numbered{.what = times.what, .oversubscribed = times.oversubscribed};
  for (const auto& [launch, time] : times.by_launch) {
    numbered.by_launch[std::ssize(numbered.by_launch)] = time;
  }
  return numbered;
}

Comparison paired(const Guideline& guideline, const stats::CaseTimes& left,
                  const stats::CaseTimes& right, int factor) {
  Comparison comparison{.guideline = &guideline,
                        .left = {.what = left.what, .oversubscribed = left.oversubscribed},
                        .right = {.what = right.what, .oversubscribed = right.oversubscribed},
                        .factor = factor};
  for (const auto& [launch, times] : stats::pair_by_launch(left.by_launch, right.by_launch)) {
    comparison.left.by_launch[launch] = times.first;
    comparison.right.by_launch[launch] = {factor * times.second.value};
  }
  return comparison;
}

}  // namespace breakeven::guidelines
