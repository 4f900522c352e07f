// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "mock_ups/mock_up.hpp"
#include "stats/levels.hpp"
#include "stats/median.hpp"
#include "stats/moderated.hpp"
#include "stats/multiple_tests.hpp"

namespace breakeven::guidelines {

namespace {

std::vector<Comparison> all_comparisons(const Problems& problems) {
  std::vector<Comparison> all;
  for (auto* const family :
       {by_mock_ups, by_own_algorithms, by_larger_size, by_parts, by_more_procs}) {
    std::ranges::move(family(problems), std::back_inserter(all));
  }
  return all;
}

Seconds median_of(const stats::CaseTimes& times) { return {stats::estimate(times).median}; }

bool in_no_table(const Case& what) {
  const mock_ups::MockUp* const mock_up = mock_ups::find(what.collective, what.variant, what.form);
  return mock_up != nullptr && !mock_ups::runs_in_programs(*mock_up);
}

/// The fastest candidate of a problem that a table can choose, of those measured often enough for a
/// decision; without effects of launches on all.
Variant best_of(const std::vector<stats::CaseTimes>& candidates) {
  std::vector<const stats::CaseTimes*> problem;
  for (const stats::CaseTimes& each : candidates) problem.push_back(&each);
  const stats::Levels levels = stats::fit_levels({&problem, 1}).front();
  const auto key = [&](const stats::CaseTimes* each) {
    const auto index = static_cast<std::size_t>(each - candidates.data());
    return std::tuple(in_no_table(each->what), each->by_launch.size() < stats::kLeastLaunches,
                      levels.candidates[index].mean);
  };
  return (*std::ranges::min_element(problem, {}, key))->what.variant;
}

/// Whether both sides ran in the same launches: then no launch affects their ratio.
bool within_launches(const Comparison& comparison) {
  const Case& left = comparison.left.what;
  const Case& right = comparison.right.what;
  return left != right && left.procs == right.procs;
}

/// Comparisons across launches share the effects of these launches: none of them tells the noise of
/// another one.
std::vector<stats::LogRatio> log_ratios_of(std::span<const Finding> findings,
                                           const std::vector<std::vector<double>>& values) {
  std::vector<std::vector<double>> together;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (within_launches(findings[i].comparison)) together.push_back(values[i]);
  }
  const std::vector<stats::LogRatio> moderated = stats::moderate(together);
  std::vector<stats::LogRatio> ratios;
  auto next = moderated.begin();
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const bool within = within_launches(findings[i].comparison);
    ratios.push_back(within ? *next++ : stats::moderate({&values[i], 1}).front());
  }
  return ratios;
}

bool of_same_problem(const Finding& one, const Finding& other) {
  return one.comparison.guideline == other.comparison.guideline &&
         one.comparison.left.what == other.comparison.left.what;
}

/// Marks each violation that the baseline has too, for the same guideline in the same problem with
/// any right side, and lists the baseline's violations that are gone.
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

void remark_on_drifts(Evaluation& evaluation) {
  for (const auto& [layout, drift] : evaluation.drifts) {
    if (drift.factors().empty()) continue;
    evaluation.remarks.push_back(
        fmt::format("calibration at p = {} takes since the baseline: {}; the baseline's times are "
                    "multiplied by {:.2f}",
                    layout.procs, drift.text(), drift.machine()));
  }
}

std::vector<Comparison> comparisons_of(std::span<const Measurement> measurements,
                                       const Problems& problems, const EvaluateOptions& options,
                                       Evaluation& evaluation) {
  std::vector<Comparison> all = all_comparisons(problems);
  std::ranges::move(by_overlap(measurements), std::back_inserter(all));
  if (!options.baseline.measurements.empty()) {
    const Problems before{options.baseline.measurements};
    evaluation.drifts = drifts_since(options.launches, options.baseline.launches);
    remark_on_drifts(evaluation);
    std::ranges::move(by_baseline(problems, before, evaluation.drifts), std::back_inserter(all));
  }
  std::erase_if(all, [](const Comparison& each) {
    return stats::log_ratios(each.left.by_launch, each.right.by_launch).empty();
  });
  return all;
}

/// Comparisons with more processes than cores are a family of their own.
void judge_apart(Evaluation& evaluation) {
  const auto turns =
      std::ranges::stable_partition(evaluation.findings, std::not_fn(oversubscribed));
  const auto first = evaluation.findings.begin();
  judge({first, turns.begin()}, evaluation.tolerance);
  judge({turns.begin(), turns.end()}, evaluation.tolerance);
  for (Finding& each : turns) each.aside = turns.begin() != first;
}

void remark_on_turns(Evaluation& evaluation) {
  const auto aside = std::ranges::count(evaluation.findings, true, &Finding::aside);
  if (aside > 0) {
    evaluation.remarks.push_back(
        fmt::format("{} comparisons with more processes than cores, which take turns, are judged "
                    "apart and not counted",
                    aside));
  } else if (oversubscribed(evaluation.findings.front())) {
    evaluation.remarks.emplace_back(
        "all comparisons have more processes than cores, which take turns: the verdicts are about "
        "such jobs alone");
  }
}

/// A comparison that has another cause than the library is undecided, whatever its times.
void find_causes(Evaluation& evaluation) {
  for (Finding& each : evaluation.findings) {
    each.cause =
        other_cause(each.comparison, each.ratio.ratio, evaluation.tolerance, evaluation.drifts);
    if (!each.cause.empty()) each.verdict = Verdict::undecided;
  }
}

}  // namespace

void judge(std::span<Finding> findings, double tolerance) {
  const double bound = std::log1p(tolerance);
  std::vector<std::vector<double>> values(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Comparison& comparison = findings[i].comparison;
    for (const auto& [launch, log_ratio] :
         stats::log_ratios(comparison.left.by_launch, comparison.right.by_launch)) {
      values[i].push_back(log_ratio);
    }
    findings[i].launches = static_cast<int>(values[i].size());
    findings[i].above = static_cast<int>(
        std::ranges::count_if(values[i], [&](double each) { return each > bound; }));
  }
  const std::vector<stats::LogRatio> ratios = log_ratios_of(findings, values);
  std::vector<double> p_values;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    findings[i].ratio = stats::interval_of(ratios[i]);
    const int look = findings[i].launches - stats::kLeastLaunches + 1;
    p_values.push_back(look < 1 ? 1 : stats::at_look(look, stats::p_value_above(ratios[i], bound)));
  }
  const std::vector<double> adjusted = stats::holm(p_values);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    const bool holds = finding.launches > 1 && finding.ratio.high <= 1 + tolerance;
    finding.p_value = adjusted[i];
    finding.verdict = finding.p_value <= kLevel ? Verdict::violated
                      : holds                   ? Verdict::holds
                                                : Verdict::undecided;
  }
}

Evaluation evaluate(std::span<const Measurement> measurements, const EvaluateOptions& options) {
  if (measurements.empty()) throw UsageError("nothing was measured on this machine");
  const Problems problems{measurements};
  if (std::ranges::none_of(problems.all(),
                           [&](const auto& each) { return problems.native(each.first); })) {
    throw UsageError("guidelines judge a library's own collectives; native was not measured");
  }
  Evaluation evaluation{.tolerance = options.tolerance,
                        .fail_on_undecided = options.fail_on_undecided};
  std::set<const Guideline*> tested;
  std::map<Case, Variant> best;  // of the problems that are compared
  for (const Comparison& each : comparisons_of(measurements, problems, options, evaluation)) {
    const bool asked =
        options.guidelines.empty() || std::ranges::count(options.guidelines, each.guideline) > 0;
    if (!asked) continue;
    tested.insert(each.guideline);
    const auto [fastest, fresh] = best.try_emplace(without_algorithm(each.left.what));
    const bool of_table = each.left.what.form == CallForm::blocking;
    if (fresh) {
      fastest->second = of_table ? best_of(problems.all().at(fastest->first)) : Native{};
    }
    evaluation.findings.push_back({.comparison = each,
                                   .left = median_of(each.left),
                                   .right = median_of(each.right),
                                   .parts = sum_of_parts(problems, each.right.what),
                                   .best = fastest->second});
  }
  std::ranges::copy_if(options.guidelines, std::back_inserter(evaluation.not_tested),
                       [&](const Guideline* each) { return !tested.contains(each); });
  if (evaluation.findings.empty()) return evaluation;
  judge_apart(evaluation);
  find_causes(evaluation);
  remark_on_turns(evaluation);
  if (!options.baseline.measurements.empty()) {
    EvaluateOptions alone = options;
    alone.baseline = {};
    compare_with(evaluate(options.baseline.measurements, alone), evaluation);
  }
  return evaluation;
}

bool oversubscribed(const Finding& finding) {
  return finding.comparison.left.oversubscribed || finding.comparison.right.oversubscribed;
}

bool fails(const Evaluation& evaluation, const Finding& finding) {
  if (finding.aside || !finding.waived.empty()) return false;
  if (finding.verdict == Verdict::violated) return finding.since != Since::baseline;
  return evaluation.fail_on_undecided && finding.verdict == Verdict::undecided &&
         finding.cause.empty();
}

int count(const Evaluation& evaluation, Verdict verdict) {
  return static_cast<int>(worst(evaluation, verdict).size());
}

std::vector<const Finding*> worst(const Evaluation& evaluation, Verdict verdict) {
  std::vector<const Finding*> found;
  for (const Finding& each : evaluation.findings) {
    if (each.verdict == verdict && !each.aside) found.push_back(&each);
  }
  std::ranges::stable_sort(found, std::greater{},
                           [](const Finding* each) { return each->ratio.ratio; });
  return found;
}

std::set<Case> cases_with(const Evaluation& evaluation, Verdict verdict) {
  std::set<Case> cases;
  for (const Finding* each : worst(evaluation, verdict)) {
    cases.insert(each->comparison.left.what);
    cases.insert(each->comparison.right.what);
  }
  return cases;
}

int exit_status(const Evaluation& evaluation) {
  const auto failed = [&](const Finding& each) { return fails(evaluation, each); };
  if (std::ranges::any_of(evaluation.findings, failed)) return 1;
  const auto explained = [](const Finding& each) { return !each.cause.empty() && !each.aside; };
  if (std::ranges::any_of(evaluation.findings, explained)) return 2;
  return count(evaluation, Verdict::holds) > 0 ? 0 : 2;
}

}  // namespace breakeven::guidelines
