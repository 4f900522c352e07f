// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "libraries/library_algorithm.hpp"
#include "tuner/decision.hpp"
#include "tuner/table.hpp"
#include "tuner/table_key.hpp"

namespace breakeven::tuner {

namespace {

/// Candidates that differ by less are as good as each other, as to a race.
constexpr double kWorthTrying = 0.025;

/// Neighbouring sizes of one problem, in one kind of table.
struct Bracket {
  const Decision* smaller;
  const Decision* larger;

  [[nodiscard]] bool choices_differ() const {
    return !larger->choice().is(smaller->choice().times.what);
  }
  [[nodiscard]] bool near_enough() const {
    return static_cast<double>(larger->problem.message.value) <=
           kNearEnough * static_cast<double>(smaller->problem.message.value);
  }
  [[nodiscard]] bool holds(const Case& problem) const {
    return differ_in_size_alone(smaller->problem, problem) &&
           smaller->problem.message < problem.message && problem.message < larger->problem.message;
  }
};

std::vector<Bracket> brackets_of(std::span<const Decision> decisions) {
  std::vector<Bracket> brackets;
  for (std::size_t i = 1; i < decisions.size(); ++i) {
    if (differ_in_size_alone(decisions[i - 1].problem, decisions[i].problem)) {
      brackets.push_back({&decisions[i - 1], &decisions[i]});
    }
  }
  return brackets;
}

/// The problem between with each of the counts that were measured at the ends; nothing when its
/// size would be no whole element of its own.
std::vector<Case> middles_of(const Bracket& bracket) {
  Case problem = bracket.smaller->problem;
  const std::int64_t element = extent(problem.datatype).value;
  const std::int64_t low = problem.message.value / element;
  const std::int64_t high = bracket.larger->problem.message.value / element;
  if (high - low < 2) return {};
  const double mean = std::sqrt(static_cast<double>(low)) * std::sqrt(static_cast<double>(high));
  problem.message = {std::clamp<std::int64_t>(std::llround(mean), low + 1, high - 1) * element};
  std::set<Case> middles;
  for (const Decision* end : {bracket.smaller, bracket.larger}) {
    for (const Contest& contest : end->contests) {
      middles.insert(with_counts(problem, contest.problem.counts));
    }
  }
  return {middles.begin(), middles.end()};
}

/// A candidate's seconds at a size between, on the straight line between both ends,
/// with these counts.
std::optional<double> expected(const Bracket& bracket, const Candidate& candidate, Counts counts,
                               Bytes message) {
  const auto at = [&](const Decision& end) {
    const Contest* const contest = end.with(counts);
    return contest == nullptr ? nullptr : contest->find(candidate.times.what);
  };
  const Candidate* const low = at(*bracket.smaller);
  const Candidate* const high = at(*bracket.larger);
  if (low == nullptr || high == nullptr) return std::nullopt;
  const auto from = static_cast<double>(bracket.smaller->problem.message.value);
  const auto to = static_cast<double>(bracket.larger->problem.message.value);
  const double share = (static_cast<double>(message.value) - from) / (to - from);
  return std::lerp(low->seconds(), high->seconds(), share);
}

/// What to measure of one kind of table at a size between, with whatever counts.
std::vector<const Candidate*> candidates_between(const Bracket& bracket, Bytes message) {
  std::vector<const Candidate*> found{&bracket.smaller->choice(), &bracket.larger->choice()};
  for (const Decision* end : {bracket.smaller, bracket.larger}) {
    for (const Contest& contest : end->contests) {
      const Counts counts = contest.problem.counts;
      std::optional<double> best;
      for (const Candidate* choice : {found[0], found[1]}) {
        const std::optional<double> seconds = expected(bracket, *choice, counts, message);
        if (seconds && (!best || *seconds < *best)) best = seconds;
      }
      for (const Candidate& candidate : contest.candidates) {
        const std::optional<double> seconds = expected(bracket, candidate, counts, message);
        const bool rival = best && seconds && *seconds * (1 + kWorthTrying) < *best;
        if (candidate.native() || rival) found.push_back(&candidate);
      }
    }
  }
  return found;
}

/// @param middle  the problem between
void add(std::set<Case>& cases, const Bracket& bracket, const Case& middle) {
  for (const Candidate* candidate : candidates_between(bracket, middle.message)) {
    Case what = with_counts(candidate->times.what, middle.counts);
    what.message = middle.message;
    if (libraries::library_name(what.algorithm) && libraries::refusal(what)) continue;
    cases.insert(std::move(what));
  }
}

}  // namespace

Refinement refine(std::span<const Measurement> measurements, const std::set<Case>& tried) {
  std::vector<std::vector<Decision>> decisions;
  std::vector<Bracket> brackets;
  for (const auto& kind : kCandidates.entries) {
    std::vector<Measurement> of_kind;
    std::ranges::copy_if(measurements, std::back_inserter(of_kind), [&](const Measurement& each) {
      return is_candidate(kind.value, each.what);
    });
    decisions.push_back(decide(of_kind));
    std::ranges::copy(brackets_of(decisions.back()), std::back_inserter(brackets));
  }
  std::set<std::pair<Case, Case>> points;
  std::set<std::pair<Case, Case>> indivisible;
  std::map<Case, std::set<Case>> middles;
  for (const Bracket& bracket : brackets) {
    if (!bracket.choices_differ()) continue;
    const std::pair point{bracket.smaller->problem, bracket.larger->problem};
    points.insert(point);
    if (bracket.near_enough()) continue;
    const std::vector<Case> between = middles_of(bracket);
    if (std::ranges::all_of(between, [&](const Case& middle) { return tried.contains(middle); })) {
      indivisible.insert(point);
    } else {
      for (const Case& middle : between) middles.try_emplace(middle);
    }
  }
  Refinement refinement{.points = static_cast<int>(points.size()),
                        .indivisible = static_cast<int>(indivisible.size())};
  for (auto& [middle, cases] : middles) {
    for (const Bracket& bracket : brackets) {
      if (bracket.holds(middle)) add(cases, bracket, middle);
    }
    if (!cases.empty()) refinement.problems.emplace_back(cases.begin(), cases.end());
  }
  return refinement;
}

}  // namespace breakeven::tuner
