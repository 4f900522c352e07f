// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <utility>

#include "guidelines/catalogue.hpp"
#include "guidelines/comparison.hpp"

namespace breakeven::guidelines {

namespace {

/// The library's own collective at one value and at the next larger one.
using Neighbours = std::vector<std::pair<const stats::CaseTimes*, const stats::CaseTimes*>>;

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

/// Of message sizes, all else being equal.
Neighbours neighbours_in_size(const Problems& problems) {
  return neighbours(
      problems, [](const Case& problem) { return problem.message.value; },
      [](Case problem) {
        problem.message = {};
        return problem;
      });
}

/// Of process counts on as many nodes, all else being equal.
Neighbours neighbours_in_procs(const Problems& problems) {
  return neighbours(
      problems, [](const Case& problem) { return std::int64_t{problem.procs}; },
      [](Case problem) {
        problem.procs = 0;
        problem.procs_per_node = 0;
        return problem;
      });
}

}  // namespace

std::vector<Comparison> by_larger_size(const Problems& problems) {
  std::vector<Comparison> comparisons;
  for (const auto& [smaller, larger] : neighbours_in_size(problems)) {
    comparisons.push_back(
        paired(guideline_of(Family::larger_size, smaller->what.collective), *smaller, *larger));
  }
  return comparisons;
}

std::vector<Comparison> by_parts(const Problems& problems) {
  std::vector<Comparison> comparisons;
  for (const auto& [smaller, larger] : neighbours_in_size(problems)) {
    const std::int64_t part = smaller->what.message.value;
    if (part == 0) continue;
    const std::int64_t parts = (larger->what.message.value + part - 1) / part;
    comparisons.push_back(paired(guideline_of(Family::parts, smaller->what.collective), *larger,
                                 *smaller, static_cast<int>(parts)));
  }
  return comparisons;
}

std::vector<Comparison> by_more_procs(const Problems& problems) {
  std::vector<Comparison> comparisons;
  for (const auto& [fewer, more] : neighbours_in_procs(problems)) {
    if (more->oversubscribed) continue;
    comparisons.push_back(paired(guideline_of(Family::more_procs, fewer->what.collective),
                                 numbered(*fewer), numbered(*more)));
  }
  return comparisons;
}

}  // namespace breakeven::guidelines
