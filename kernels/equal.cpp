// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/equal.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernels/build.hpp"

namespace breakeven::kernels {

namespace {

constexpr std::int64_t kMostSteps = std::int64_t{1} << 22U;
constexpr std::int64_t kLeastRanks = 3;

/// By what their sources say, which is known without a schedule.
bool far_apart(Problem problem, const Variant& one, const Variant& other) {
  const auto messages = [&problem](const Variant& variant) -> std::optional<double> {
    problem.params = variant.params;
    if (variant.algorithm->formula == nullptr) return std::nullopt;
    return variant.algorithm->formula(problem).messages;
  };
  const auto left = messages(one);
  const auto right = messages(other);
  return left && right && std::max(*left, *right) > 2 * std::min(*left, *right);
}

}  // namespace

bool equal_schedules(const Problem& problem, const Variant& one, const Variant& other) {
  if (far_apart(problem, one, other)) return false;
  Problem own = problem;
  const auto schedule = [&own](const Variant& variant) {
    own.params = variant.params;
    return build_schedule(*variant.algorithm, own);
  };
  std::int64_t ranks = problem.procs;
  for (std::int64_t i = 0; i < ranks; ++i) {
    own.me = {static_cast<int>((problem.procs - 1) * i / std::max<std::int64_t>(ranks - 1, 1))};
    const Schedule left = schedule(one);
    const Schedule right = schedule(other);
    // The sizes of scratch slots follow from what messages carry.
    if (left.blocks != right.blocks || left.rounds != right.rounds) return false;
    const auto steps = std::max<std::int64_t>(static_cast<std::int64_t>(count_steps(left)), 1);
    if (i == 0) ranks = std::clamp(kMostSteps / steps, std::min(kLeastRanks, ranks), ranks);
  }
  return true;
}

std::vector<std::vector<Variant>> groups_of_equals(const Problem& problem,
                                                   std::span<const Variant> variants) {
  std::vector<std::vector<Variant>> groups;
  for (const Variant& each : variants) {
    const auto group = std::ranges::find_if(groups, [&](const std::vector<Variant>& members) {
      return equal_schedules(problem, members.front(), each);
    });
    if (group == groups.end()) {
      groups.push_back({each});
    } else {
      group->push_back(each);
    }
  }
  return groups;
}

std::vector<Variant> plain_variants(const Problem& problem) {
  Problem plain = problem;
  plain.params = {};
  std::vector<Variant> variants;
  for (const Algorithm* algorithm : catalogue(problem.collective)) {
    if (runs(*algorithm, plain)) variants.push_back({algorithm, {}});
  }
  return variants;
}

}  // namespace breakeven::kernels
