// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "harness/plan/ranking.hpp"
#include "kernels/build.hpp"
#include "kernels/crossing.hpp"

namespace breakeven::plan {

namespace {

constexpr std::string_view kBest = "best";
constexpr std::size_t kMostAsked = 64;
constexpr std::size_t kMostUnasked = 3;
constexpr double kLeastGain = 1.025;  // less is within the default --target-ci

bool runs_with(const kernels::Algorithm& algorithm, const Case& what, const std::string& params) {
  return kernels::runs(algorithm, problem_with(what, params));
}

std::string joined(std::string params, std::string_view more) {
  if (!params.empty()) params += ',';
  return kernels::Params::parse(params.append(more)).text();
}

/// The set of values that a text names; null where the text is a value.
/// @throws UsageError when the algorithm does not take the parameter.
const kernels::ValueSet* set_of(const kernels::Algorithm& algorithm,
                                const kernels::Params::Entry& entry) {
  static constexpr kernels::ValueSet kAll{"*", [](std::string_view) { return true; }};
  kernels::require_takes(algorithm, entry.key);
  const std::vector<kernels::Param> known = kernels::params_of(algorithm);
  const auto param = std::ranges::find(known, entry.key, &kernels::Param::key);
  if (entry.value == kAll.name) return &kAll;
  const auto found = std::ranges::find(param->sets, entry.value, &kernels::ValueSet::name);
  return found == param->sets.end() ? nullptr : &*found;
}

/// The reorderings of the ranks with which a variant sends less from node to node.
/// @see [ricogallego2014], sections III.2 and IV
std::vector<std::string> orders_that_pay(const kernels::Algorithm& algorithm, const Case& what,
                                         const std::string& params) {
  std::vector<std::string> found;
  const kernels::Problem problem = problem_with(what, params);
  if (problem.placement.nodes(problem.procs) == 1) return found;
  const auto crossing_with = [&](const std::string& text) {
    return kernels::crossing(algorithm, problem_with(what, text));
  };
  const kernels::Crossing plain = crossing_with(params);
  for (const char* how : {"seq", "rr"}) {
    if (to_text(problem.placement.mapping) == how) continue;  // it changes nothing
    std::string ordered = joined(params, fmt::format("{}={}", kernels::kReorderRanks.key, how));
    if (crossing_with(ordered) < plain) found.push_back(std::move(ordered));
  }
  return found;
}

/// Whether a model puts it first somewhere, and well ahead of `plain` there.
bool pays(const RankedVariant& variant, const RankedVariant& plain) {
  if (variant.another) return false;
  for (std::size_t i = 0; i < variant.times.size(); ++i) {
    const bool best = variant.times[i] == variant.best[i];
    if (best && plain.times[i] >= kLeastGain * variant.times[i]) return true;
  }
  return false;
}

}  // namespace

AskedVariants::AskedVariants(const kernels::Algorithm& algorithm, const Case& where,
                             std::string_view text)
    : algorithm_{algorithm}, most_{kMostAsked} {
  kernels::Params fixed = kernels::Params::parse(text);
  if (const auto best = fixed.find_number(kBest, 1)) {
    several_ = true;
    most_ = static_cast<std::size_t>(*best);
    fixed.take(kBest);
  }
  std::string key;  // of the parameter for which a set of values is requested
  const kernels::ValueSet* set = nullptr;
  const kernels::Params given = fixed;
  for (const kernels::Params::Entry& entry : given.entries()) {
    const kernels::ValueSet* const found = set_of(algorithm, entry);
    if (found == nullptr) continue;
    if (set != nullptr) {
      throw UsageError(fmt::format(
          "'{}:{}' asked for; a set of values of one parameter is possible", algorithm.name, text));
    }
    several_ = true;
    key = entry.key;
    set = found;
    fixed.take(key);
  }
  const std::string rest = fixed.text();
  if (set == nullptr && runs_with(algorithm, where, rest)) all_.push_back(rest);
  if (!several_) return;
  for (const std::string& listed : kernels::variants_of(algorithm, where.procs)) {
    const kernels::Params params = kernels::Params::parse(listed);
    const bool meant = std::ranges::all_of(params.entries(), [&](const auto& entry) {
      return set == nullptr ? !fixed.find(entry.key) : entry.key == key && set->holds(entry.value);
    });
    if (!meant) continue;
    std::string variant = joined(rest, listed);
    if (runs_with(algorithm, where, variant)) all_.push_back(std::move(variant));
  }
}

std::string AskedVariants::requirement() const {
  if (several_) return "values that it lists at p";
  return kernels::requirement_text(algorithm_);
}

std::size_t AskedVariants::left_out() const { return all_.size() - std::min(all_.size(), most_); }

std::vector<std::string> AskedVariants::measured(std::span<const Case> problems,
                                                 std::span<const sim::Machine> machines) const {
  if (left_out() == 0) return all_;
  std::vector<std::string> first;
  for (RankedVariant& each : rank(algorithm_, all_, problems, most_, machines)) {
    if (first.size() < most_) first.push_back(std::move(each.params));
  }
  return first;
}

std::vector<std::string> worth_trying(const kernels::Algorithm& algorithm,
                                      std::span<const Case> problems, bool reorder_ranks,
                                      std::span<const sim::Machine> machines) {
  const Case& what = problems.front();
  std::vector<std::string> all{""};
  for (std::string& params : kernels::variants_of(algorithm, what.procs)) {
    if (runs_with(algorithm, what, params)) all.push_back(std::move(params));
  }
  std::vector<std::string> tried{""};
  if (all.size() > 1) {
    const std::vector<RankedVariant> ranked = rank(algorithm, all, problems, 0, machines);
    const RankedVariant& plain = *std::ranges::find(ranked, "", &RankedVariant::params);
    for (const RankedVariant& each : ranked) {
      if (tried.size() <= kMostUnasked && !std::isinf(plain.times.front()) && pays(each, plain)) {
        tried.push_back(each.params);
      }
    }
  }
  std::vector<std::string> found(tried.begin() + 1, tried.end());
  if (!reorder_ranks || !algorithm.reorderable) return found;
  for (const std::string& params : tried) {
    std::ranges::move(orders_that_pay(algorithm, what, params), std::back_inserter(found));
  }
  return found;
}

}  // namespace breakeven::plan
