// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/equal_names.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "kernels/build.hpp"

namespace breakeven::tuner {

namespace {

/// "4", "4 on 2 nodes", "4 on 2 nodes rr, root 3"
std::string where_of(const Case& what) {
  std::string text = std::to_string(what.procs);
  if (what.nodes > 1) text += fmt::format(" on {} nodes", what.nodes);
  if (what.mapping != Mapping::seq) text += fmt::format(" {}", to_text(what.mapping));
  if (what.root != Rank{}) text += fmt::format(", root {}", what.root.value);
  return text;
}

}  // namespace

std::vector<std::string> EqualNames::names_of(const Case& what) {
  const kernels::Algorithm* const algorithm = kernels::known_algorithm(what);
  if (algorithm == nullptr) return {};
  const kernels::Problem problem = kernels::problem_of(what);
  try {
    if (!kernels::runs(*algorithm, problem)) return {};
  } catch (const UsageError&) {  // parameters of another version
    return {};
  }
  kernels::EqualSchedules& schedules =
      schedules_.try_emplace(without_algorithm(kernels::without_data(what)), problem).first->second;
  std::vector<std::string> names;
  for (const kernels::Instance& each : kernels::plain_variants(problem)) {
    if (schedules.equal(each, {algorithm, problem.params}))
      names.emplace_back(each.algorithm->name);
  }
  return names;
}

const std::vector<std::string>& EqualNames::of(const Case& what) {
  const auto [found, is_new] = known_.try_emplace(kernels::without_data(what));
  if (is_new) found->second = names_of(what);
  return found->second;
}

const Candidate* EqualNames::find(const Contest& contest, Case what) {
  if (const Candidate* own = contest.find(what)) return own;
  for (const std::string& name : of(what)) {
    what.variant = Ours{name};
    if (const Candidate* equal = contest.find(what)) return equal;
  }
  return nullptr;
}

std::vector<std::string> other_names(std::span<const Case> cases) {
  EqualNames equals;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> places;
  for (const Case& each : cases) {
    std::vector<std::string> names = equals.of(each);
    if (each.variant.params().empty()) std::erase(names, each.variant.algorithm());
    if (names.empty()) continue;
    std::vector<std::string>& at =
        places[{algorithm_text(each), fmt::format("{}", fmt::join(names, ", "))}];
    const std::string place = where_of(each);
    if (std::ranges::find(at, place) == at.end()) at.push_back(place);
  }
  std::vector<std::string> lines;
  for (const auto& [names, at] : places) {
    lines.push_back(
        fmt::format("{} at p = {}: also {}", names.first, fmt::join(at, ", "), names.second));
  }
  return lines;
}

}  // namespace breakeven::tuner
