// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

constexpr std::size_t kMostRows = 10;

std::string machine_text(const ReportHead& head, double tolerance) {
  std::string text = fmt::format("Performance guidelines\n\n  machine    {}\n", head.machine.name);
  const std::string_view library = head.machine.library_version;
  if (!library.empty()) text += fmt::format("  library    {}\n", library);
  if (!head.machine.cpu.empty()) text += fmt::format("  processor  {}\n", head.machine.cpu);
  if (head.machine.kind == MachineKind::library) {
    text += fmt::format("  settings   {}\n", to_text(head.machine.settings));
  }
  return text +
         fmt::format("  database   {}\n  tolerance  {:.3g} %\n", head.database, 100 * tolerance);
}

/// "known: ", "waived (reason): ", or nothing where the violation counts and is no worse than new.
std::string mark_of(const Finding& finding) {
  if (finding.verdict != Verdict::violated) return {};
  if (!finding.waived.empty()) return fmt::format("waived ({}): ", finding.waived);
  return finding.since == Since::newly ? "" : fmt::format("{}: ", kSince.of(finding.since));
}

bool oversubscribed(const Finding* finding) {
  return finding->comparison.left.oversubscribed || finding->comparison.right.oversubscribed;
}

/// "1.42 (1.35-1.50)   30 of 33   754 us   514 us  p = 3, 1 KiB, int sum*; openmpi:ring",
/// then the guideline, what repairs the violation and the commands that show it again.
std::string row_of(const Finding& finding, const ReportHead& head) {
  const stats::RatioInterval& ratio = finding.ratio;
  const Guideline& guideline = *finding.comparison.guideline;
  const std::string right = right_text(finding);
  std::string text = fmt::format(
      "\n  {:<19} {:>8}  {:>7}  {:>7}  {}{}{}{}\n",
      fmt::format("{:.2f} ({:.2f}-{:.2f})", ratio.ratio, ratio.low, ratio.high),
      fmt::format("{} of {}", finding.above, finding.launches), to_text(finding.left),
      to_text(finding.right), mark_of(finding), problem_text(finding.comparison.left.what),
      oversubscribed(&finding) ? "*" : "", right.empty() ? "" : "; " + right);
  text +=
      fmt::format("    {}: {}, because {}", guideline.name, guideline.formula, guideline.reason);
  text += guideline.source.starts_with('[') ? fmt::format(" {}\n", guideline.source) : "\n";
  const std::string repair = repair_text(finding, head);
  if (!repair.empty()) text += fmt::format("    repair: {}\n", repair);
  std::string_view label = "again:";
  for (const std::string& command : reproduce_commands(finding, head.machine.name)) {
    text += fmt::format("    {:<7} {}\n", std::exchange(label, ""), command);
  }
  return text;
}

/// Of the columns and marks that the rows have.
std::string legend_of(std::span<const Finding* const> rows) {
  std::string text = R"(
  ratio     left / right of the formula, and its 95 % interval
  launches  launches in which the ratio is above 1 + tolerance, of those that measured both sides
  left      median time of the library's own collective; right: of what is on the right
)";
  if (std::ranges::any_of(rows, oversubscribed)) {
    text += "  *         more processes than cores on some node\n";
  }
  return text;
}

/// The worst first; those that are waived or known after those that count.
std::string violations(const Evaluation& evaluation, const ReportHead& head) {
  std::vector<const Finding*> all = worst_by_problem(evaluation, Verdict::violated);
  if (all.empty()) return {};
  std::ranges::stable_partition(all, [](const Finding* each) { return counts(*each); });
  const std::span rows = std::span{all}.first(std::min(kMostRows, all.size()));
  std::string text = fmt::format(
      "\nviolated, the worst first; a machine without violations is accused of any with a "
      "probability of at most {:.0f} %\n\n  {:<19} {:>8}  {:>7}  {:>7}  problem\n",
      100 * kLevel, "ratio", "launches", "left", "right");
  for (const Finding* each : rows) text += row_of(*each, head);
  if (all.size() > rows.size()) {
    text += fmt::format("\n  and {} more: see --format markdown\n", all.size() - rows.size());
  }
  return text + legend_of(rows);
}

std::string summary(const Evaluation& evaluation, const ReportHead& head) {
  std::string text =
      fmt::format("\n{} comparisons: {} violated, {} undecided, {} hold\n",
                  evaluation.findings.size(), count(evaluation, Verdict::violated),
                  count(evaluation, Verdict::undecided), count(evaluation, Verdict::holds));
  if (count(evaluation, Verdict::undecided) > 0) {
    text += fmt::format("new launches decide more: breakeven check --db {} --decide 10min\n",
                        head.database);
  }
  for (const std::string& each : all_remarks(evaluation)) text += each + "\n";
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
  return machine_text(head, evaluation.tolerance) + summary(evaluation, head) +
         violations(evaluation, head);
}

}  // namespace breakeven::guidelines
