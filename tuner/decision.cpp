// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/decision.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace breakeven::tuner {

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
using Problems = std::map<Case, std::map<Counts, Contest>, SizesTogether>;

Problems group_by_problem(std::span<const Measurement> measurements) {
  Problems problems;
  for (stats::CaseTimes& times : stats::group_by_case(measurements)) {
    const Case problem = without_algorithm(times.what);
    const stats::Estimate seconds = stats::estimate(times);
    Contest& contest = problems[with_counts(problem, Counts::equal)][problem.counts];
    contest.problem = problem;
    contest.candidates.push_back({.times = std::move(times), .seconds = seconds});
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

std::optional<stats::Estimate> ratio_of(const Candidate& one, const Candidate& other) {
  const std::array above{&one.times};
  const std::array below{&other.times};
  return stats::estimate_ratio(above, below);
}

bool worth_leaving(const Candidate& native, const Candidate& for_it) {
  const std::optional<stats::Estimate> speedup = ratio_of(native, for_it);
  return speedup && speedup->median >= kLeastSpeedup &&
         stats::significantly_faster(for_it.times, native.times);
}

Certainty certainty_of(const Contest& contest, const Candidate& choice) {
  if (!choice.enough_launches()) return Certainty::too_few;
  const bool beats_all = std::ranges::all_of(contest.candidates, [&](const Candidate& other) {
    return &other == &choice || stats::significantly_faster(choice.times, other.times);
  });
  return beats_all && contest.candidates.size() > 1 ? Certainty::decided : Certainty::undecided;
}

using Contests = std::span<const Contest>;

bool in_all(Contests contests, auto&& of) { return std::ranges::all_of(contests, of); }

/// An algorithm with its parameters in all contests.
struct Contender {
  Case what{};
  bool enough_launches = true;  ///< wherever it was measured
  double slowness = 0;          ///< over native, or else the fastest, where it is greatest

  [[nodiscard]] bool native() const { return what.algorithm == kNative; }
};

Contender contender(const Case& what, Contests contests) {
  Contender found{.what = what};
  for (const Contest& contest : contests) {
    const Candidate* const candidate = contest.find(what);
    if (candidate == nullptr) continue;
    const Candidate* const native = contest.native();
    const double reference = (native != nullptr ? *native : contest.fastest()).seconds.median;
    const double median = candidate->seconds.median;
    found.enough_launches &= candidate->enough_launches();
    found.slowness = std::max(found.slowness, median == reference ? 1 : median / reference);
  }
  return found;
}

/// Who was measured in all contests, and native if it was in any; with enough launches first, of
/// these the fastest first.
std::vector<Contender> contenders_of(Contests contests) {
  std::map<std::pair<std::string, std::string>, Case> variants;
  for (const Contest& contest : contests) {
    for (const Candidate& candidate : contest.candidates) {
      const Case& what = candidate.times.what;
      variants.try_emplace({what.algorithm, what.params}, what);
    }
  }
  std::vector<Contender> contenders;
  for (const auto& [name, what] : variants) {
    const bool everywhere =
        in_all(contests, [&](const Contest& each) { return each.find(what) != nullptr; });
    if (everywhere || what.algorithm == kNative) contenders.push_back(contender(what, contests));
  }
  std::ranges::sort(contenders, {}, [](const Contender& each) {
    return std::tuple<bool, double, const Case&>(!each.enough_launches, each.slowness, each.what);
  });
  return contenders;
}

/// Whether `other` is no worse a choice than the fastest, so that it may be taken to have fewer
/// rules.
bool as_good(const Case& other, const Case& fastest, Contests contests) {
  return in_all(contests, [&](const Contest& contest) {
    const Candidate& one = *contest.find(other);
    const Candidate& best = *contest.find(fastest);
    const std::optional<stats::Estimate> regret = regret_of(one, best);
    return !stats::significantly_faster(best.times, one.times) &&
           (!regret || regret->median <= kPriceOfASimplerTable);
  });
}

/// Nothing where nobody was measured in all contests.
std::optional<Case> choose(Contests contests, const Decision* next_smaller,
                           const FixedChoices& fixed) {
  std::vector<Contender> contenders = contenders_of(contests);
  if (const auto only = fixed.find(contests.front().problem.collective); only != fixed.end()) {
    std::erase_if(contenders,
                  [&](const Contender& each) { return variant_text(each.what) != only->second; });
  }
  if (contenders.empty()) return std::nullopt;
  const bool enough_launches = contenders.front().enough_launches;
  std::erase_if(contenders,
                [&](const Contender& each) { return each.enough_launches != enough_launches; });
  const auto native = std::ranges::find_if(contenders, &Contender::native);
  if (native != contenders.end()) {
    const Case by_default = native->what;
    std::erase_if(contenders, [&](const Contender& each) {
      return !in_all(contests, [&](const Contest& contest) {
        return contest.native() != nullptr &&
               worth_leaving(*contest.native(), *contest.find(each.what));
      });
    });
    if (contenders.empty()) return by_default;
  }
  const Case& fastest = contenders.front().what;
  if (!enough_launches || next_smaller == nullptr) return fastest;
  const auto same = std::ranges::find_if(contenders, [&](const Contender& each) {
    return next_smaller->choice().is(each.what) && as_good(each.what, fastest, contests);
  });
  return same == contenders.end() ? fastest : same->what;
}

/// Takes into the decision what its choice is worth in each contest, and what of that is worst.
void weigh(Decision& decision, const Case& choice) {
  decision.certainty = Certainty::decided;
  std::optional<std::pair<double, double>> least;  // speedup, and less of it by regret
  for (std::size_t i = 0; i < decision.contests.size(); ++i) {
    const Contest& contest = decision.contests[i];
    const Candidate* const chosen = contest.find(choice);
    if (chosen == nullptr) {
      decision.certainty = std::max(decision.certainty, Certainty::undecided);
      continue;
    }
    decision.certainty = std::max(decision.certainty, certainty_of(contest, *chosen));
    const Candidate* const native = contest.native();
    const std::optional<stats::Estimate> speedup =
        native == nullptr ? std::nullopt : ratio_of(*native, *chosen);
    const std::optional<stats::Estimate> regret = regret_of(*chosen, contest.fastest());
    if (speedup && (!decision.speedup || speedup->median < decision.speedup->median))
      decision.speedup = speedup;
    if (regret && (!decision.regret || regret->median > decision.regret->median)) {
      decision.regret = regret;
    }
    const std::pair worth{speedup ? speedup->median : std::numeric_limits<double>::max(),
                          regret ? -regret->median : 0};
    if (least && *least <= worth) continue;
    least = worth;
    decision.worst = i;
    decision.chosen = static_cast<std::size_t>(chosen - contest.candidates.data());
  }
}

}  // namespace

std::optional<stats::Estimate> regret_of(const Candidate& choice, const Candidate& fastest) {
  std::optional<stats::Estimate> ratio = ratio_of(choice, fastest);
  if (!ratio) return std::nullopt;
  for (double* value : {&ratio->median, &ratio->low, &ratio->high}) {
    *value = std::max(0.0, *value - 1);
  }
  return ratio;
}

bool differ_in_size_alone(const Case& one, const Case& other) {
  return all_but_size(one) == all_but_size(other);
}

const Candidate* Contest::find(const Case& what) const {
  const auto found = std::ranges::find_if(
      candidates, [&](const Candidate& candidate) { return candidate.is(what); });
  return found == candidates.end() ? nullptr : &*found;
}

const Candidate* Contest::native() const {
  const auto found = std::ranges::find_if(candidates, &Candidate::native);
  return found == candidates.end() ? nullptr : &*found;
}

const Contest* Decision::with(Counts counts) const {
  const auto found =
      std::ranges::find(contests, counts, [](const Contest& each) { return each.problem.counts; });
  return found == contests.end() ? nullptr : &*found;
}

std::vector<Decision> decide(std::span<const Measurement> measurements, const FixedChoices& fixed) {
  std::vector<Decision> decisions;
  for (auto& [problem, contests] : group_by_problem(measurements)) {
    Decision decision{.problem = problem};
    for (auto& [counts, contest] : contests) {
      put_fastest_first(contest.candidates);
      for (const Candidate& each : contest.candidates) {
        decision.oversubscribed |= each.times.oversubscribed;
      }
      decision.contests.push_back(std::move(contest));
    }
    const bool follows =
        !decisions.empty() && differ_in_size_alone(decisions.back().problem, problem);
    const auto choice = choose(decision.contests, follows ? &decisions.back() : nullptr, fixed);
    if (!choice) continue;
    weigh(decision, *choice);
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

}  // namespace breakeven::tuner
