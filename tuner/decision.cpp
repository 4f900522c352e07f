// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/decision.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "tuner/assignment.hpp"
#include "tuner/weights.hpp"

namespace breakeven::tuner {

namespace {

/// A rule more must save 3.5 % over one doubling of the message size, or 1.75 % over two.
constexpr double kPriceOfARule = 0.035;
/// A doubling with a choice other than the library's default costs 0.5 %: the default is not left
/// for nothing.
constexpr double kPriceOfLeaving = 0.005;
constexpr double kConfidence = 0.95;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The problems of one line of sizes, each with its contests.
using SizeLine = std::span<Decision>;

/// The cost of choosing `what` in a contest; infinite where it is no choice.
double cost_in(const Contest& contest, const Case& what) {
  const Candidate* const candidate = contest.find(what);
  if (candidate == nullptr) return kInfinite;
  if (!candidate->log_speedup) return candidate->log_time.mean - contest.fastest().log_time.mean;
  return candidate->native() ? 0 : kPriceOfLeaving - candidate->log_speedup->mean;
}

/// Launches of `what` where it has fewest; 0 where it was not measured with some counts.
int launches_of(const Decision& decision, const Case& what) {
  int fewest = std::numeric_limits<int>::max();
  for (const Contest& contest : decision.contests) {
    const Candidate* const candidate = contest.find(what);
    fewest = std::min(fewest, candidate == nullptr ? 0 : candidate->launches);
  }
  return fewest;
}

bool native_in_any(const Decision& decision) {
  return std::ranges::any_of(decision.contests,
                             [](const Contest& each) { return each.native() != nullptr; });
}

/// The possible choices at a size, with their costs: with the worst counts.
/// @param fixed  the choice is made already
std::vector<double> costs_of(const Decision& decision, std::span<const Case> variants, bool fixed) {
  const bool native = native_in_any(decision);
  std::vector<double> costs(variants.size(), kInfinite);
  std::vector<double> weak(variants.size(), kInfinite);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Case& what = variants[i];
    const bool by_default = what.variant.is<Native>();
    const int launches = launches_of(decision, what);
    if (by_default && native) weak[i] = 0;
    if (launches == 0) continue;
    double cost = -kInfinite;
    for (const Contest& contest : decision.contests) {
      const bool comparable = !native || contest.native() != nullptr;
      cost = std::max(cost, comparable ? cost_in(contest, what) : kInfinite);
    }
    if (fixed || launches >= stats::kLeastLaunches) costs[i] = cost;
    if (!native) weak[i] = cost;
  }
  const auto finite = [](double cost) { return cost < kInfinite; };
  return std::ranges::any_of(costs, finite) ? costs : weak;
}

double near_best(const Contest& contest, const Candidate& choice) {
  std::vector<stats::Belief> all;
  for (const Candidate& each : contest.candidates) all.push_back(each.log_time);
  const auto which = static_cast<std::size_t>(&choice - contest.candidates.data());
  return stats::probability_near_least(all, which, kLogNearBest);
}

/// Those that are more than kNearBest faster than the choice with a probability of 5 % or more.
std::vector<Variant> rivals_of(const Contest& contest, const Candidate& choice) {
  std::vector<std::pair<double, Variant>> rivals;
  for (const Candidate& each : contest.candidates) {
    if (&each == &choice) continue;
    const stats::Belief lead = choice.log_time - each.log_time;
    const boost::math::normal normal{lead.mean, std::max(lead.deviation(), 1e-12)};
    const double probability = cdf(complement(normal, kLogNearBest));
    if (probability >= 1 - kConfidence) rivals.emplace_back(-probability, each.times.what.variant);
  }
  std::ranges::sort(rivals);
  std::vector<Variant> variants;
  for (auto& [probability, variant] : rivals) variants.push_back(std::move(variant));
  return variants;
}

/// Records the choice's worth in each contest, and the worst of them.
void report(Decision& decision, const Case& choice) {
  decision.certainty = tables::Certainty::decided;
  decision.near_best = 1;
  double least = kInfinite;
  for (std::size_t i = 0; i < decision.contests.size(); ++i) {
    const Contest& contest = decision.contests[i];
    const Candidate* const chosen = contest.find(choice);
    if (chosen == nullptr) {
      decision.certainty = std::max(decision.certainty, tables::Certainty::undecided);
      continue;
    }
    // Of a choice without a rival nothing is known.
    const double probability = contest.candidates.size() > 1 ? near_best(contest, *chosen) : 0;
    const tables::Certainty certainty = !chosen->enough_launches()   ? tables::Certainty::too_few
                                        : probability >= kConfidence ? tables::Certainty::decided
                                                                     : tables::Certainty::undecided;
    decision.certainty = std::max(decision.certainty, certainty);
    if (probability <= decision.near_best) decision.rivals = rivals_of(contest, *chosen);
    decision.near_best = std::min(decision.near_best, probability);
    const double worth = -cost_in(contest, choice);
    if (worth >= least) continue;
    least = worth;
    decision.worst = i;
    decision.chosen = static_cast<std::size_t>(chosen - contest.candidates.data());
    decision.speedup = chosen->speedup();
  }
}

/// The candidates of all sizes, or the only one that may be chosen.
std::vector<Case> variants_of(SizeLine line, const Variant* only) {
  std::map<Variant, Case> found;
  for (const Decision& decision : line) {
    for (const Contest& contest : decision.contests) {
      for (const Candidate& each : contest.candidates) {
        const Case& what = each.times.what;
        if (only == nullptr || what.variant == *only) {
          found.try_emplace(what.variant, what);
        }
      }
    }
  }
  std::vector<Case> variants;
  for (auto& [name, what] : found) variants.push_back(std::move(what));
  return variants;
}

LineSizes sizes_of(SizeLine line) {
  LineSizes of_line{.problem = line.front().problem};
  for (const Decision& decision : line) of_line.sizes.push_back(decision.problem.message);
  return of_line;
}

void weigh(std::span<const SizeLine> lines, const ProgramTime& time) {
  std::vector<LineSizes> sizes;
  for (const SizeLine line : lines) sizes.push_back(sizes_of(line));
  const std::vector<std::vector<double>> weights = weights_of(sizes, time);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<Seconds> at = time_at(time, sizes[i].problem, sizes[i].sizes);
    for (std::size_t j = 0; j < lines[i].size(); ++j) {
      lines[i][j].weight = weights[i][j];
      lines[i][j].program_time = at[j];
    }
  }
}

/// @param line  at each size there is a choice
void choose(SizeLine line, const Variant* only) {
  const std::vector<Case> variants = variants_of(line, only);
  const auto native = static_cast<std::size_t>(
      std::ranges::find(variants, Variant{Native{}}, &Case::variant) - variants.begin());
  const std::vector<double> widths = widths_of(sizes_of(line).sizes);
  std::vector<SizeCosts> sizes;
  for (std::size_t i = 0; i < line.size(); ++i) {
    sizes.push_back({.weight = line[i].weight * widths[i],
                     .costs = costs_of(line[i], variants, only != nullptr)});
  }
  const std::vector<std::size_t> chosen = cheapest_assignment(sizes, kPriceOfARule, native);
  for (std::size_t i = 0; i < line.size(); ++i) report(line[i], variants[chosen[i]]);
}

/// Neighbours whose problems are alike, together.
std::vector<SizeLine> runs_of(SizeLine decisions, auto alike) {
  std::vector<SizeLine> runs;
  while (!decisions.empty()) {
    const auto last = std::ranges::find_if(decisions, [&](const Decision& each) {
      return !alike(decisions.front().problem, each.problem);
    });
    const auto size = static_cast<std::size_t>(last - decisions.begin());
    runs.push_back(decisions.first(size));
    decisions = decisions.subspan(size);
  }
  return runs;
}

/// Whether some candidate was measured with all counts, or native with any; with `only`, whether
/// that one was, with all.
bool has_a_choice(const Decision& decision, const Variant* only) {
  if (only == nullptr && native_in_any(decision)) return true;
  return std::ranges::any_of(decision.contests.front().candidates, [&](const Candidate& each) {
    const Case& what = each.times.what;
    return launches_of(decision, what) > 0 && (only == nullptr || what.variant == *only);
  });
}

}  // namespace

bool all_oversubscribed(std::span<const Decision> decisions) {
  return std::ranges::all_of(decisions, &Decision::oversubscribed);
}

const Contest* Decision::with(Counts counts) const {
  const auto found =
      std::ranges::find(contests, counts, [](const Contest& each) { return each.problem.counts; });
  return found == contests.end() ? nullptr : &*found;
}

std::vector<Decision> decide(std::span<const Measurement> measurements, const FixedChoices& fixed,
                             const ProgramTime& time) {
  const auto only = [&](const Case& problem) {
    const auto found = fixed.find(problem.collective);
    return found == fixed.end() ? nullptr : &found->second;
  };
  std::vector<Decision> decisions;
  for (auto& [problem, contests] : contests_of(measurements)) {
    Decision decision{.problem = problem};
    for (auto& [counts, contest] : contests) {
      for (const Candidate& each : contest.candidates) {
        decision.oversubscribed |= each.times.oversubscribed;
      }
      decision.contests.push_back(std::move(contest));
    }
    if (has_a_choice(decision, only(problem))) decisions.push_back(std::move(decision));
  }
  const std::vector<SizeLine> lines = runs_of(decisions, differ_in_size_alone);
  weigh(lines, time);
  for (const SizeLine line : lines) choose(line, only(line.front().problem));
  return decisions;
}

void choose_one_for_all(std::span<Decision> decisions, const FixedChoices& fixed) {
  const auto same_call = [](const Case& one, const Case& other) {
    return one.collective == other.collective && one.form == other.form;
  };
  for (const SizeLine call : runs_of(decisions, same_call)) {
    const std::vector<Case> variants = variants_of(call, nullptr);
    if (fixed.contains(call.front().problem.collective) ||
        std::ranges::none_of(variants, libraries::takes_one_algorithm)) {
      continue;
    }
    const std::vector<SizeLine> lines = runs_of(call, differ_in_size_alone);
    std::vector<double> sums(variants.size());
    for (const SizeLine line : lines) {
      const std::vector<double> widths = widths_of(sizes_of(line).sizes);
      for (std::size_t size = 0; size < line.size(); ++size) {
        const std::vector<double> costs = costs_of(line[size], variants, false);
        for (std::size_t i = 0; i < variants.size(); ++i) {
          sums[i] += line[size].weight * widths[size] * costs[i];
        }
      }
    }
    const auto least = std::ranges::min_element(sums);
    if (*least == kInfinite) continue;
    const Case& best = variants[static_cast<std::size_t>(least - sums.begin())];
    for (const SizeLine line : lines) choose(line, &best.variant);
  }
}

}  // namespace breakeven::tuner
