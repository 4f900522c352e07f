// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "mock_ups/mock_up.hpp"
#include "stats/levels.hpp"
#include "stats/median.hpp"
#include "stats/multiple_tests.hpp"
#include "stats/sign_test.hpp"

namespace breakeven::guidelines {

namespace {

std::vector<Comparison> all_comparisons(const Problems& problems) {
  std::vector<Comparison> all;
  for (auto* const family :
       {by_mock_ups, by_own_algorithms, by_larger_size, by_parts, by_more_procs}) {
    std::ranges::move(family(problems), std::back_inserter(all));
  }
  std::erase_if(all, [](const Comparison& each) { return each.left.by_launch.empty(); });
  return all;
}

Seconds median_of(const stats::CaseTimes& times) { return {stats::estimate(times).median}; }

bool in_no_table(const Case& what) {
  const mock_ups::MockUp* const mock_up = mock_ups::find(what.collective, what.algorithm);
  return mock_up != nullptr && !mock_ups::runs_in_programs(*mock_up);
}

/// The fastest that a table can choose, of those measured often enough for a decision.
std::string best_of(const Problems& problems, const Case& what) {
  const auto found = problems.all().find(without_algorithm(what));
  if (found == problems.all().end()) return {};
  const auto best = std::ranges::min_element(found->second, {}, [](const stats::CaseTimes& each) {
    return std::tuple(in_no_table(each.what), each.by_launch.size() < stats::kLeastLaunches,
                      median_of(each).value);
  });
  return variant_text(best->what);
}

Finding counted(Comparison comparison, double tolerance) {
  Finding finding{.left = median_of(comparison.left), .right = median_of(comparison.right)};
  for (const auto& [launch, ratio] :
       stats::log_ratios(comparison.left.by_launch, comparison.right.by_launch)) {
    ++finding.launches;
    finding.above += ratio > std::log1p(tolerance) ? 1 : 0;
  }
  finding.comparison = std::move(comparison);
  return finding;
}

/// The noise of a few launches is judged by that of all comparisons.
void estimate_ratios(std::vector<Finding>& findings) {
  std::vector<std::vector<const stats::CaseTimes*>> sides;
  sides.reserve(findings.size());
  for (const Finding& each : findings) {
    sides.push_back({&each.comparison.left, &each.comparison.right});
  }
  const std::vector<std::vector<stats::Belief>> levels = stats::fit_levels(sides);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    findings[i].ratio = stats::interval_of(levels[i].front() - levels[i].back());
  }
}

void test(std::vector<Finding>& findings) {
  std::vector<double> p_values;
  p_values.reserve(findings.size());
  for (const Finding& each : findings) {
    p_values.push_back(stats::anytime_sign_test(each.above, each.launches));
  }
  const std::vector<double> adjusted = stats::holm(p_values);
  for (std::size_t i = 0; i < findings.size(); ++i) findings[i].p_value = adjusted[i];
}

/// So many that the first rejection of Holm's would come.
int launches_to_decide(const Finding& finding, std::size_t comparisons) {
  int more = 1;
  while (stats::anytime_sign_test(finding.above + more, finding.launches + more) >
         kLevel / static_cast<double>(comparisons)) {
    ++more;
  }
  return more;
}

void judge(std::vector<Finding>& findings, double tolerance) {
  for (Finding& each : findings) {
    if (each.p_value <= kLevel) {
      each.verdict = Verdict::violated;
    } else if (each.launches > 1 && each.ratio.high <= 1 + tolerance) {
      each.verdict = Verdict::holds;
    } else {
      each.launches_to_decide = launches_to_decide(each, findings.size());
    }
  }
}

bool of_same_problem(const Finding& one, const Finding& other) {
  return one.comparison.guideline == other.comparison.guideline &&
         one.comparison.left.what == other.comparison.left.what;
}

/// Says of each violation whether the baseline has one of the same guideline in the same problem,
/// whatever was on its right side, and which of the baseline's are gone.
void compare_with(const Evaluation& before, Evaluation& evaluation) {
  std::vector<const Finding*> old;
  for (const Finding& each : before.findings) {
    if (each.verdict == Verdict::violated) old.push_back(&each);
  }
  for (Finding& each : evaluation.findings) {
    double worst = 0;
    bool gone = false;
    for (const Finding* other : old) {
      if (!of_same_problem(each, *other)) continue;
      worst = std::max(worst, other->ratio.high);
      gone |= each.comparison.right.what == other->comparison.right.what;
    }
    if (worst == 0) continue;
    each.since = each.ratio.low > worst ? Since::worse : Since::baseline;
    if (gone && each.verdict == Verdict::holds) evaluation.gone.push_back(each);
  }
}

std::vector<Comparison> comparisons_of(const Problems& problems, const EvaluateOptions& options,
                                       Evaluation& evaluation) {
  std::vector<Comparison> all = all_comparisons(problems);
  if (options.baseline.measurements.empty()) return all;
  const Problems before{options.baseline.measurements};
  evaluation.drifts = drifts_since(options.launches, options.baseline.launches);
  for (const auto& [layout, drift] : evaluation.drifts) {
    if (drift.factors().empty()) continue;
    evaluation.remarks.push_back(
        fmt::format("calibration at p = {} takes since the baseline: {}; its times are multiplied "
                    "by {:.2f}",
                    layout.procs, drift.text(), drift.machine()));
  }
  std::ranges::move(by_baseline(problems, before, evaluation.drifts), std::back_inserter(all));
  return all;
}

/// A violation that something else than the library explains is none, and nothing holds then.
void find_causes(Evaluation& evaluation) {
  for (Finding& each : evaluation.findings) {
    each.cause =
        other_cause(each.comparison, each.ratio.ratio, evaluation.tolerance, evaluation.drifts);
    if (!each.cause.empty()) each.verdict = Verdict::undecided;
  }
}

}  // namespace

Evaluation evaluate(std::span<const Measurement> measurements, const EvaluateOptions& options) {
  if (measurements.empty()) throw UsageError("nothing was measured on this machine");
  const Problems problems{measurements};
  if (std::ranges::none_of(problems.all(),
                           [&](const auto& each) { return problems.native(each.first); })) {
    throw UsageError("guidelines judge a library's own collectives; native was not measured");
  }
  Evaluation evaluation{.tolerance = options.tolerance};
  std::set<const Guideline*> tested;
  for (Comparison& each : comparisons_of(problems, options, evaluation)) {
    const bool asked =
        options.guidelines.empty() || std::ranges::count(options.guidelines, each.guideline) > 0;
    if (!asked) continue;
    tested.insert(each.guideline);
    Finding& finding =
        evaluation.findings.emplace_back(counted(std::move(each), options.tolerance));
    finding.best = best_of(problems, finding.comparison.left.what);
    finding.parts = sum_of_parts(problems, finding.comparison.right.what);
  }
  std::ranges::copy_if(options.guidelines, std::back_inserter(evaluation.not_tested),
                       [&](const Guideline* each) { return !tested.contains(each); });
  if (evaluation.findings.empty()) return evaluation;
  estimate_ratios(evaluation.findings);
  test(evaluation.findings);
  judge(evaluation.findings, options.tolerance);
  find_causes(evaluation);
  if (!options.baseline.measurements.empty()) {
    EvaluateOptions alone = options;
    alone.baseline = {};
    compare_with(evaluate(options.baseline.measurements, alone), evaluation);
  }
  return evaluation;
}

bool counts(const Finding& finding) {
  return finding.verdict == Verdict::violated && finding.waived.empty() &&
         finding.since != Since::baseline;
}

int count(const Evaluation& evaluation, Verdict verdict) {
  return static_cast<int>(std::ranges::count(evaluation.findings, verdict, &Finding::verdict));
}

std::vector<const Finding*> worst(const Evaluation& evaluation, Verdict verdict) {
  std::vector<const Finding*> found;
  for (const Finding& each : evaluation.findings) {
    if (each.verdict == verdict) found.push_back(&each);
  }
  std::ranges::stable_sort(found, std::greater{},
                           [](const Finding* each) { return each->ratio.ratio; });
  return found;
}

std::set<Case> cases_with(const Evaluation& evaluation, Verdict verdict) {
  std::set<Case> cases;
  for (const Finding& each : evaluation.findings) {
    if (each.verdict != verdict) continue;
    cases.insert(each.comparison.left.what);
    cases.insert(each.comparison.right.what);
  }
  return cases;
}

int exit_status(const Evaluation& evaluation) {
  if (std::ranges::any_of(evaluation.findings, counts)) return 1;
  const auto explained = [](const Finding& each) { return !each.cause.empty(); };
  if (std::ranges::any_of(evaluation.findings, explained)) return 2;
  return count(evaluation, Verdict::holds) > 0 ? 0 : 2;
}

}  // namespace breakeven::guidelines
