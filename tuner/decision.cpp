// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/decision.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace breakeven {

namespace {

constexpr double kPriceOfASimplerTable = 0.05;

auto all_but_size(const Case& problem) {
  return std::tuple(problem.collective, problem.mapping, problem.procs, problem.nodes,
                    problem.procs_per_node, problem.datatype, problem.op, problem.root);
}

/// Problems that differ in their size alone become neighbours, the smaller first.
struct SizesTogether {
  bool operator()(const Case& one, const Case& other) const {
    return std::tuple(all_but_size(one), one.message) <
           std::tuple(all_but_size(other), other.message);
  }
};
using Problems = std::map<Case, std::vector<Candidate>, SizesTogether>;

Problems group_by_problem(std::span<const Measurement> measurements) {
  Problems problems;
  for (CaseTimes& times : group_by_case(measurements)) {
    const Case problem = without_algorithm(times.what);
    const Estimate seconds = estimate(times);
    problems[problem].push_back({.times = std::move(times), .seconds = seconds});
  }
  return problems;
}

void put_fastest_first(std::vector<Candidate>& candidates) {
  // Case order among equals, so that a table is reproducible.
  std::ranges::sort(candidates, {}, [](const Candidate& each) {
    return std::tuple<bool, double, const Case&>(!each.enough_launches(), each.seconds.median,
                                                 each.times.what);
  });
}

std::optional<Estimate> ratio_of(const Candidate& one, const Candidate& other) {
  const std::array above{&one.times};
  const std::array below{&other.times};
  return estimate_ratio(above, below);
}

bool worth_leaving(const Candidate& native, const Candidate& for_it) {
  const std::optional<Estimate> gain = ratio_of(native, for_it);
  return gain && gain->median >= 1 + kLeastGain && beyond_doubt(for_it.times, native.times);
}

/// The index of the choice among candidates with the fastest first.
std::size_t choose(std::span<const Candidate> candidates, const Decision* next_smaller) {
  const Candidate& fastest = candidates.front();
  const auto is_as_well_known = [&](const Candidate& candidate) {
    return candidate.enough_launches() == fastest.enough_launches();
  };
  const auto native = std::ranges::find_if(candidates, [&](const Candidate& candidate) {
    return candidate.native() && is_as_well_known(candidate);
  });
  const auto beats_native = [&](const Candidate& candidate) {
    return native == candidates.end() || worth_leaving(*native, candidate);
  };
  if (!beats_native(fastest)) return static_cast<std::size_t>(native - candidates.begin());
  if (!fastest.enough_launches() || next_smaller == nullptr) return 0;
  const auto same = std::ranges::find_if(candidates, [&](const Candidate& candidate) {
    const std::optional<Estimate> regret = regret_of(candidate, fastest);
    return candidate.is(next_smaller->choice().times.what) && is_as_well_known(candidate) &&
           beats_native(candidate) && !beyond_doubt(fastest.times, candidate.times) &&
           (!regret || regret->median <= kPriceOfASimplerTable);
  });
  return same == candidates.end() ? 0 : static_cast<std::size_t>(same - candidates.begin());
}

Doubt doubt_about(const Decision& decision) {
  const Candidate& choice = decision.choice();
  if (!choice.enough_launches()) return Doubt::weak;
  const bool beats_all = std::ranges::all_of(decision.candidates, [&](const Candidate& other) {
    return &other == &choice || beyond_doubt(choice.times, other.times);
  });
  return beats_all && decision.candidates.size() > 1 ? Doubt::sure : Doubt::unsure;
}

std::optional<Estimate> gain_of(const Decision& decision) {
  const auto native = std::ranges::find_if(decision.candidates, &Candidate::native);
  if (native == decision.candidates.end()) return std::nullopt;
  return ratio_of(*native, decision.choice());
}

}  // namespace

std::optional<Estimate> regret_of(const Candidate& choice, const Candidate& fastest) {
  std::optional<Estimate> ratio = ratio_of(choice, fastest);
  if (!ratio) return std::nullopt;
  for (double* value : {&ratio->median, &ratio->low, &ratio->high}) {
    *value = std::max(0.0, *value - 1);
  }
  return ratio;
}

bool differ_in_size_alone(const Case& one, const Case& other) {
  return all_but_size(one) == all_but_size(other);
}

std::vector<Decision> decide(std::span<const Measurement> measurements) {
  std::vector<Decision> decisions;
  for (auto& [problem, candidates] : group_by_problem(measurements)) {
    put_fastest_first(candidates);
    const bool follows =
        !decisions.empty() && differ_in_size_alone(decisions.back().problem, problem);
    Decision decision{.problem = problem, .candidates = std::move(candidates)};
    decision.chosen = choose(decision.candidates, follows ? &decisions.back() : nullptr);
    decision.doubt = doubt_about(decision);
    decision.gain = gain_of(decision);
    decision.regret = regret_of(decision.choice(), decision.fastest());
    decision.oversubscribed = std::ranges::any_of(
        decision.candidates, [](const Candidate& each) { return each.times.oversubscribed; });
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

}  // namespace breakeven
