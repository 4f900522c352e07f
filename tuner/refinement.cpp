// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "libraries/library_algorithm.hpp"
#include "tables/table.hpp"
#include "tuner/decision.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::tuner {

namespace {

/// An algorithm that is expected to be ahead of the choices by this much is a candidate too.
constexpr double kWorthTrying = 0.025;

/// Neighbouring sizes of one problem, in one kind of table.
struct Bracket {
  const Decision* smaller;
  const Decision* larger;

  [[nodiscard]] bool choices_differ() const {
    return !larger->choice().is(smaller->choice().times.what);
  }
  /// Both ends have enough launches to be taken at their word.
  [[nodiscard]] bool settled() const {
    return smaller->choice().enough_launches() && larger->choice().enough_launches();
  }
  [[nodiscard]] double gain() const;
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

/// The cost of choosing `other` at a size, as a logarithm, with the worst counts; nothing where it
/// was not measured.
std::optional<double> cost_of(const Decision& decision, const Candidate& other) {
  std::optional<double> most;
  for (const Contest& contest : decision.contests) {
    const Candidate* const chosen = contest.find(decision.choice().times.what);
    const Candidate* const instead = contest.find(other.times.what);
    if (chosen == nullptr || instead == nullptr) continue;
    const double cost = instead->log_time.mean - chosen->log_time.mean;
    most = std::max(cost, most.value_or(0));
  }
  return most;
}

double Bracket::gain() const {
  const double doublings = place_of(larger->problem.message) - place_of(smaller->problem.message);
  const double width = doublings * (smaller->weight + larger->weight) / 2;
  const std::optional<double> below = cost_of(*smaller, larger->choice());
  const std::optional<double> above = cost_of(*larger, smaller->choice());
  const double costs = below.value_or(above.value_or(2 * kWorthTrying)) +
                       above.value_or(below.value_or(2 * kWorthTrying));
  return width * costs / 16;
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

/// The candidates of one kind of table at a size between, with any counts.
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
    if (what.variant.is<LibraryOwn>() && libraries::refusal(what)) continue;
    cases.insert(std::move(what));
  }
}

}  // namespace

Refinement refine(std::span<const Measurement> measurements, const std::set<Case>& known,
                  double least, const ProgramTime& time) {
  std::vector<std::vector<Decision>> decisions;
  std::vector<Bracket> brackets;
  for (const auto& kind : tables::kCandidates.entries) {
    std::vector<Measurement> of_kind;
    std::ranges::copy_if(measurements, std::back_inserter(of_kind), [&](const Measurement& each) {
      return is_candidate(kind.value, each.what);
    });
    decisions.push_back(decide(of_kind, {}, time));
    std::ranges::copy(brackets_of(decisions.back()), std::back_inserter(brackets));
  }
  std::set<std::pair<Case, Case>> points;
  std::map<Case, double> middles;
  for (const Bracket& bracket : brackets) {
    if (!bracket.choices_differ()) continue;
    points.emplace(bracket.smaller->problem, bracket.larger->problem);
    const double gain = bracket.gain();
    if (!bracket.settled() || gain < least) continue;
    for (const Case& middle : middles_of(bracket)) {
      if (known.contains(middle) || (!time.empty() && !calls(time, middle))) continue;
      double& most = middles[middle];
      most = std::max(most, gain);
    }
  }
  Refinement refinement{.points = static_cast<int>(points.size())};
  for (const auto& [middle, gain] : middles) {
    std::set<Case> cases;
    for (const Bracket& bracket : brackets) {
      if (bracket.holds(middle)) add(cases, bracket, middle);
    }
    if (!cases.empty()) refinement.sizes.push_back({{cases.begin(), cases.end()}, gain});
  }
  return refinement;
}

}  // namespace breakeven::tuner
