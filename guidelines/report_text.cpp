// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

/// "1.42 (1.35-1.50)   30 of 33   754 us   514 us  p = 3, 1 KiB, int sum*; openmpi:ring"
std::string columns_of(const Finding& finding) {
  const stats::RatioInterval& ratio = finding.ratio;
  const std::string right = right_text(finding);
  return fmt::format("  {:<19} {:>8}  {:>7}  {:>7}  {}{}{}{}",
                     fmt::format("{:.2f} ({:.2f}-{:.2f})", ratio.ratio, ratio.low, ratio.high),
                     fmt::format("{} of {}", finding.above, finding.launches),
                     to_text(finding.left), to_text(finding.right), mark_of(finding),
                     problem_text(finding.comparison.left.what), oversubscribed(finding) ? "*" : "",
                     right.empty() ? "" : "; " + right);
}

std::string heading(const std::string& text) {
  return fmt::format("\n{}\n\n  {:<19} {:>8}  {:>7}  {:>7}  problem\n", text, "ratio", "launches",
                     "left", "right");
}

/// A violation: its columns, the guideline, the repair, and the commands that show it again.
std::string violation_of(const Finding& finding, const ReportHead& head) {
  const Guideline& guideline = *finding.comparison.guideline;
  std::string text = fmt::format("\n{}\n    {}: {}, because {}", columns_of(finding),
                                 guideline.name, guideline.formula, guideline.reason);
  text += guideline.source.starts_with('[') ? fmt::format(" {}\n", guideline.source) : "\n";
  const std::string repair = repair_text(finding, head);
  if (!repair.empty()) text += fmt::format("    repair: {}\n", repair);
  std::string_view label = "again:";
  for (const std::string& command : reproduce_commands(finding, head.machine.name)) {
    text += fmt::format("    {:<7} {}\n", std::exchange(label, ""), command);
  }
  return text;
}

/// The worst first; waived and known ones after those that fail. Unless all are wanted, only the
/// worst of a guideline in each problem.
std::string violations(const Evaluation& evaluation, const ReportHead& head) {
  std::vector<const Finding*> rows = head.all ? worst(evaluation, Verdict::violated)
                                              : worst_by_problem(evaluation, Verdict::violated);
  if (rows.empty()) return {};
  std::ranges::stable_partition(rows,
                                [&](const Finding* each) { return fails(evaluation, *each); });
  if (!head.all) rows.resize(std::min(kMostRows, rows.size()));
  std::string text = heading(fmt::format(
      "violated, the worst first; a machine without violations is accused of any with a "
      "probability of at most {:.0f} %",
      100 * kLevel));
  for (const Finding* each : rows) text += violation_of(*each, head);
  const std::size_t more =
      static_cast<std::size_t>(count(evaluation, Verdict::violated)) - rows.size();
  if (more > 0) text += fmt::format("\n  and {} more: --all\n", more);
  return text;
}

/// A line for each.
std::string list(const Evaluation& evaluation, const std::string& title,
                 const std::vector<const Finding*>& rows) {
  std::string text = rows.empty() ? "" : heading(title);
  for (const Finding* each : rows) {
    text += fmt::format("{}; {}: {}\n", columns_of(*each), each->comparison.guideline->name,
                        verdict_text(evaluation, *each));
  }
  return text;
}

std::string lists(const Evaluation& evaluation) {
  std::vector<const Finding*> aside;
  for (const Finding& each : evaluation.findings) {
    if (each.aside) aside.push_back(&each);
  }
  return list(evaluation,
              "undecided, at 5 % for all comparisons together; a table decides each choice by "
              "itself",
              worst(evaluation, Verdict::undecided)) +
         list(evaluation, "hold", worst(evaluation, Verdict::holds)) +
         list(evaluation, "judged apart: more processes than cores, which take turns", aside);
}

constexpr std::string_view kLegend = R"(
  ratio     left / right of the formula, and its 95 % interval; above 1 the right side is faster
  launches  those in which the ratio is above 1 + tolerance, of those that measured both sides
  left      median time of the library's own collective; right: of what is on the right
)";
constexpr std::string_view kStar = "  *         more processes than cores on some node\n";

std::string summary(const Evaluation& evaluation, const ReportHead& head) {
  std::string text = "\n" + counts_text(evaluation) + "\n";
  if (count(evaluation, Verdict::undecided) > 0) {
    text += fmt::format(
        "new launches decide more: breakeven check --db {} --decide 10min; --all lists them\n",
        head.database);
  }
  for (const std::string& each : all_remarks(evaluation)) text += each + "\n";
  for (const Finding& each : evaluation.gone) {
    text += fmt::format("gone: {}; {}\n", each.comparison.guideline->name,
                        problem_text(each.comparison.left.what));
  }
  std::vector<std::string> untested;
  for (const Guideline* each : evaluation.not_tested) untested.push_back(each->name);
  if (!untested.empty()) {
    text += fmt::format("not tested, as no launch measured both sides: {}\n",
                        fmt::join(untested, ", "));
  }
  return text;
}

}  // namespace

std::string report_text(const Evaluation& evaluation, const ReportHead& head) {
  std::string rows = violations(evaluation, head);
  if (head.all) rows += lists(evaluation);
  if (!rows.empty()) rows += kLegend;
  const auto has_star = [&](const Finding& each) {
    return oversubscribed(each) && (head.all || !each.aside);
  };
  if (!rows.empty() && std::ranges::any_of(evaluation.findings, has_star)) rows += kStar;
  return machine_text(head, evaluation.tolerance) + summary(evaluation, head) + rows;
}

}  // namespace breakeven::guidelines
