// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

constexpr std::string_view kLegend = R"(
Legend
  ratio      left / right of the formula, its 95 % interval, and in how many of the launches that
             measured both it is above 1 + tolerance
  violated   by an exact test of signs, corrected for the number of comparisons and of looks: a
             machine without a violation is accused with a probability of 5 % at most
  holds      the interval ends at or below 1 + tolerance
  undecided  neither; more launches of both sides decide it: check --decide 10min
  *          more processes than cores on some node
)";

std::string machine_text(const ReportHead& head, double tolerance) {
  std::string text = fmt::format("Performance guidelines\n\n  machine    {}\n", head.machine.name);
  const std::string_view library = head.machine.library_version;
  if (!library.empty()) text += fmt::format("  library    {}\n", library);
  if (!head.machine.cpu.empty()) text += fmt::format("  processor  {}\n", head.machine.cpu);
  return text +
         fmt::format("  database   {}\n  tolerance  {:.3g} %\n", head.database, 100 * tolerance);
}

/// "known: ", "waived (reason): ", or nothing where the violation counts and is no worse than new.
std::string mark_of(const Finding& finding) {
  if (finding.verdict != Verdict::violated) return {};
  if (!finding.waived.empty()) return fmt::format("waived ({}): ", finding.waived);
  return finding.since == Since::newly ? "" : fmt::format("{}: ", kSince.of(finding.since));
}

std::string row_of(const Finding& finding) {
  const stats::RatioInterval& ratio = finding.ratio;
  const bool oversubscribed =
      finding.comparison.left.oversubscribed || finding.comparison.right.oversubscribed;
  return fmt::format("  {:.2f} ({:.2f}-{:.2f})  {:>2} of {:<2}  {}{}{}: {}; {} against {}\n",
                     ratio.ratio, ratio.low, ratio.high, finding.above, finding.launches,
                     mark_of(finding), problem_text(finding.comparison.left.what),
                     oversubscribed ? "*" : "", sides_text(finding), to_text(finding.left),
                     to_text(finding.right));
}

/// The findings of one verdict by guideline, the guideline with the worst first.
std::string section(const Evaluation& evaluation, Verdict verdict, const ReportHead& head,
                    std::size_t most_rows) {
  const std::vector<const Finding*> found = worst(evaluation, verdict);
  std::vector<const Guideline*> order;
  std::map<const Guideline*, std::vector<const Finding*>> by_guideline;
  for (const Finding* each : found) {
    std::vector<const Finding*>& rows = by_guideline[each->comparison.guideline];
    if (rows.empty()) order.push_back(each->comparison.guideline);
    rows.push_back(each);
  }
  std::string text;
  for (const Guideline* guideline : order) {
    const std::vector<const Finding*>& rows = by_guideline[guideline];
    text += fmt::format("\n{}: {}\n  {}\n  because {}", kVerdicts.of(verdict), guideline->name,
                        guideline->formula, guideline->reason);
    text += guideline->source.starts_with('[') ? fmt::format(" {}\n", guideline->source) : "\n";
    for (std::size_t i = 0; i < std::min(most_rows, rows.size()); ++i) text += row_of(*rows[i]);
    if (rows.size() > most_rows) text += fmt::format("  and {} more\n", rows.size() - most_rows);
    if (verdict != Verdict::violated) continue;
    const std::string repair = repair_text(*rows.front(), head);
    if (!repair.empty()) text += fmt::format("  repair: {}\n", repair);
    text += fmt::format("  again:  {}\n", reproduce_text(*rows.front(), head.machine.name));
  }
  return text;
}

std::string summary(const Evaluation& evaluation) {
  std::string text =
      fmt::format("\n{} comparisons: {} violated, {} undecided, {} hold\n",
                  evaluation.findings.size(), count(evaluation, Verdict::violated),
                  count(evaluation, Verdict::undecided), count(evaluation, Verdict::holds));
  if (evaluation.drift != 1) {
    text += fmt::format(
        "since the baseline the library takes {:.3f} times as long (median over its "
        "collectives); they are compared with this\n",
        evaluation.drift);
  }
  for (const Finding& each : evaluation.gone) {
    text += fmt::format("gone: {}; {}\n", each.comparison.guideline->name,
                        problem_text(each.comparison.left.what));
  }
  for (const Guideline* each : evaluation.not_tested) {
    text += fmt::format("not tested: {}, whose sides were nowhere measured in one launch\n",
                        each->name);
  }
  return text;
}

}  // namespace

std::string report_text(const Evaluation& evaluation, const ReportHead& head) {
  return machine_text(head, evaluation.tolerance) + summary(evaluation) +
         section(evaluation, Verdict::violated, head, 10) +
         section(evaluation, Verdict::undecided, head, 2) + std::string{kLegend};
}

}  // namespace breakeven::guidelines
