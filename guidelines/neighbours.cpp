// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/neighbours.hpp"

#include <map>

namespace breakeven::guidelines {

namespace {

/// @param value    of a problem
/// @param without  the problem without it
template <typename Value, typename Without>
Neighbours neighbours(const Problems& problems, Value value, Without without) {
  using ByValue = std::map<std::int64_t, const stats::CaseTimes*>;
  std::map<Case, ByValue> alike;
  for (const auto& [problem, candidates] : problems.all()) {
    const stats::CaseTimes* const native = problems.native(problem);
    if (native != nullptr) alike[without(problem)][value(problem)] = native;
  }
  Neighbours found;
  for (const auto& [rest, by_value] : alike) {
    const stats::CaseTimes* last = nullptr;
    for (const auto& [each, times] : by_value) {
      if (last != nullptr) found.emplace_back(last, times);
      last = times;
    }
  }
  return found;
}

}  // namespace

Neighbours neighbours_in_size(const Problems& problems) {
  return neighbours(
      problems, [](const Case& problem) { return problem.message.value; },
      [](Case problem) {
        problem.message = {};
        return problem;
      });
}

Neighbours neighbours_in_procs(const Problems& problems) {
  return neighbours(
      problems, [](const Case& problem) { return std::int64_t{problem.procs}; },
      [](Case problem) {
        problem.procs = 0;
        problem.procs_per_node = 0;
        return problem;
      });
}

}  // namespace breakeven::guidelines
