// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/evaluate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "guidelines/candidates.hpp"
#include "guidelines/gaps.hpp"

namespace breakeven::guidelines {

namespace {

GuidelineVerdict judge(const stats::Estimate& ratio, double tolerance) {
  if (ratio.count < stats::kLeastLaunches) return GuidelineVerdict::too_few;
  if (ratio.low > 1 + tolerance) return GuidelineVerdict::violated;
  return ratio.high <= 1 + tolerance ? GuidelineVerdict::holds : GuidelineVerdict::undecided;
}

/// The roots with which the right side was measured; 0 when it has none.
std::set<Rank> roots_of(const Guideline& guideline, const FastestCases& candidates) {
  std::set<Rank> roots;
  for (const Collective term : guideline.right) {
    if (!rooted(term)) continue;
    for (const Cell& cell : candidates.cells(term)) roots.insert(cell.root);
  }
  return roots.empty() ? std::set{Rank{}} : roots;
}

/// The cells in which the left side was measured; where it has no root, one for each root of the
/// right side.
std::set<Cell> cells_of(const Guideline& guideline, const FastestCases& candidates) {
  if (rooted(guideline.left)) return candidates.cells(guideline.left);
  const std::set<Rank> roots = roots_of(guideline, candidates);
  std::set<Cell> with_roots;
  for (Cell cell : candidates.cells(guideline.left)) {
    for (const Rank root : roots) {
      cell.root = root;
      with_roots.insert(cell);
    }
  }
  return with_roots;
}

/// Nothing when a term was not measured in the cell, or no launch measured all of them.
std::optional<GuidelineResult> test(const Guideline& guideline, const Cell& cell,
                                    const FastestCases& candidates, double tolerance) {
  std::vector<const stats::CaseTimes*> terms{candidates.find(guideline.left, cell)};
  for (const Collective term : guideline.right) terms.push_back(candidates.find(term, cell));
  if (std::ranges::count(terms, nullptr) > 0) return std::nullopt;

  const std::span<const stats::CaseTimes* const> all(terms);
  const auto ratio = stats::estimate_ratio(all.first(1), all.subspan(1));
  if (!ratio) return std::nullopt;
  GuidelineResult finding{.cell = cell, .ratio = *ratio, .verdict = judge(*ratio, tolerance)};
  std::vector<double> left;
  std::vector<double> right;
  for (const auto& [launch, pair] :
       stats::pair_by_launch(all.front()->by_launch, stats::sum_per_launch(all.subspan(1)))) {
    left.push_back(pair.first.value);
    right.push_back(pair.second.value);
  }
  finding.left = {stats::median(std::move(left))};
  finding.right = {stats::median(std::move(right))};
  for (const stats::CaseTimes* term : terms) {
    finding.terms.push_back(term->what);
    finding.oversubscribed |= term->oversubscribed;
  }
  return finding;
}

Outcome outcome_of(const Guideline& guideline, const FastestCases& candidates, double tolerance) {
  Outcome outcome{.guideline = &guideline};
  for (const Cell& cell : cells_of(guideline, candidates)) {
    auto finding = test(guideline, cell, candidates, tolerance);
    if (finding) outcome.findings.push_back(*std::move(finding));
  }
  outcome.gaps = gaps_of(outcome, candidates);
  return outcome;
}

/// An algorithm that was asked for by name is never replaced by another.
void require_measured(Collective term, const Guideline& guideline, const FastestCases& candidates,
                      std::span<const Measurement> measurements, std::string_view implementation) {
  if (!candidates.cells(term).empty()) return;
  std::set<std::string_view> known;
  for (const Measurement& measurement : measurements) {
    if (measurement.what.collective == term) known.insert(measurement.what.algorithm);
  }
  throw UsageError(fmt::format("guideline {} needs {}/{}, which was not measured; measured are: {}",
                               guideline.number, kCollectives.of(term), implementation,
                               known.empty() ? "none" : fmt::format("{}", fmt::join(known, " "))));
}

}  // namespace

Evaluation evaluate(std::span<const Measurement> measurements, const EvaluateOptions& options) {
  if (measurements.empty()) throw UsageError("nothing was measured on this machine");
  const FastestCases candidates(measurements, options.implementation);
  const bool by_name = options.implementation != kNative && options.implementation != kBest;
  Evaluation evaluation{.implementation = options.implementation, .tolerance = options.tolerance};
  for (const Guideline* guideline : options.guidelines) {
    for (const Collective term : terms_of(*guideline)) {
      if (by_name) {
        require_measured(term, *guideline, candidates, measurements, options.implementation);
      }
    }
    evaluation.outcomes.push_back(outcome_of(*guideline, candidates, options.tolerance));
  }
  return evaluation;
}

int count(const Outcome& outcome, GuidelineVerdict verdict) {
  return static_cast<int>(std::ranges::count(outcome.findings, verdict, &GuidelineResult::verdict));
}

int tested(const Outcome& outcome) {
  return static_cast<int>(outcome.findings.size()) - count(outcome, GuidelineVerdict::too_few);
}

int exit_status(const Evaluation& evaluation) {
  const auto violated = [](const Outcome& each) {
    return count(each, GuidelineVerdict::violated) > 0;
  };
  const auto untested = [](const Outcome& each) { return tested(each) == 0; };
  if (std::ranges::any_of(evaluation.outcomes, violated)) return 1;
  return evaluation.outcomes.empty() || std::ranges::any_of(evaluation.outcomes, untested) ? 2 : 0;
}

}  // namespace breakeven::guidelines
