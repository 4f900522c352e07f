// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/pruning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "harness/plan/cost.hpp"
#include "harness/plan/order.hpp"
#include "tuner/correction.hpp"

namespace breakeven::session {

namespace {

constexpr double kDeviations = 1.75;
constexpr std::size_t kOneCheckIn = 10;

/// The cases that check the predictions: they follow from the sweep alone.
std::set<Case> checks_of(const plan::Sweep& sweep, std::span<const std::vector<Case>> problems) {
  std::map<Case, std::vector<Case>> candidates;  // at all sizes and p
  for (const std::vector<Case>& problem : problems) {
    for (const Case& what : problem) {
      candidates[{.collective = what.collective, .variant = what.variant, .counts = what.counts}]
          .push_back(what);
    }
  }
  std::set<Case> checks;
  for (auto& [candidate, cases] : candidates) {
    plan::shuffle(cases, plan::mixed_seed(sweep.seed, plan::number_of(to_text(candidate)), 0));
    cases.resize((cases.size() + kOneCheckIn - 1) / kOneCheckIn);
    checks.insert(cases.begin(), cases.end());
  }
  return checks;
}

/// The least log time of a problem's candidates: measured, or else predicted.
double fastest(const std::vector<Case>& problem, const tuner::Correction& correction,
               const tuner::Contest* contest) {
  double least = std::numeric_limits<double>::infinity();
  for (const Case& what : problem) {
    const tuner::Candidate* const measured = contest == nullptr ? nullptr : contest->find(what);
    if (measured != nullptr) {
      least = std::min(least, measured->own_log_time.mean);
    } else if (const std::optional<double> predicted = correction.log_time(what)) {
      least = std::min(least, *predicted);
    }
  }
  return least;
}

const tuner::Contest* contest_of(const tuner::Contests& contests, const Case& problem) {
  const auto found = contests.find(with_counts(problem, Counts::equal));
  if (found == contests.end()) return nullptr;
  const auto with = found->second.find(problem.counts);
  return with == found->second.end() ? nullptr : &with->second;
}

}  // namespace

Pruning prune(const plan::Sweep& sweep, std::span<const std::vector<Case>> problems,
              const Predictions& predictions, const tuner::Contests& contests,
              const std::set<Case>& tried) {
  Pruning pruning;
  if (predictions.empty()) return pruning;
  const tuner::Correction correction{predictions, contests};
  const std::set<Case> checks = checks_of(sweep, problems);
  const double asked = std::log(sweep.prune_margin);
  const double unproven = kDeviations * tuner::Correction::kUsualSpread;
  for (const std::vector<Case>& candidates : problems) {
    const Case problem = without_algorithm(candidates.front());
    const double margin = std::max(asked, kDeviations * correction.spread(problem));
    if (margin > std::max(asked, unproven)) {
      double& most = pruning.relaxed[problem.collective];
      most = std::max(most, std::exp(margin));
    }
    pruning.cases += candidates.size();
    const double least = fastest(candidates, correction, contest_of(contests, problem));
    for (const Case& what : candidates) {
      const std::optional<double> time = correction.log_time(what);
      if (!time || *time - least <= margin || checks.contains(what) || tried.contains(what))
        continue;
      pruning.pruned[what] = std::exp(*time - least);
      pruning.saved.value += plan::least_cost({std::exp(*time)}, sweep.measure).value;
    }
  }
  return pruning;
}

std::string relaxed_text(Collective collective, double factor) {
  return fmt::format(
      "Predictions of {} err: only candidates at {:.2g} times the fastest are pruned.",
      kCollectives.of(collective), factor);
}

std::string Pruning::text() const {
  std::string text;
  if (!pruned.empty()) {
    text = fmt::format("{} of {} cases are pruned, which saves about {}.", pruned.size(), cases,
                       rough_text({std::ceil(saved.value)}));
  }
  for (const auto& [collective, factor] : relaxed) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", relaxed_text(collective, factor));
  }
  return text;
}

}  // namespace breakeven::session
