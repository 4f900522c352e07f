// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <utility>

#include "guidelines/report.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::guidelines {

namespace {

constexpr std::string_view kLegend = R"(
Legend
  ratio      left / right of the formula, and its 95 % interval
  launches   in how many of those that measured both it is above 1 + tolerance
  left       median time of the library's own collective; right: of what is on the right
  parts      the sum of the medians of the collectives on the right, each measured by itself
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

/// The column of a mock-up's parts; other guidelines have none.
std::string parts_column(const Finding& finding, std::string_view text) {
  const bool mock_up = mock_ups::is_mock_up(finding.comparison.right.what.algorithm);
  return mock_up ? fmt::format("  {:>7}", text) : "";
}

/// "1.42 (1.35-1.50)   30 of 33   754 us   514 us  p = 3, 1 KiB, int sum*; openmpi:ring"
std::string row_of(const Finding& finding) {
  const stats::RatioInterval& ratio = finding.ratio;
  const bool oversubscribed =
      finding.comparison.left.oversubscribed || finding.comparison.right.oversubscribed;
  const std::string right = right_text(finding);
  return fmt::format("  {:<19} {:>8}  {:>7}  {:>7}{}  {}{}{}{}\n",
                     fmt::format("{:.2f} ({:.2f}-{:.2f})", ratio.ratio, ratio.low, ratio.high),
                     fmt::format("{} of {}", finding.above, finding.launches),
                     to_text(finding.left), to_text(finding.right),
                     parts_column(finding, finding.parts ? to_text(*finding.parts) : "-"),
                     mark_of(finding), problem_text(finding.comparison.left.what),
                     oversubscribed ? "*" : "", right.empty() ? "" : "; " + right);
}

std::string text_of(const Section& section, Verdict verdict, const ReportHead& head,
                    std::size_t most_rows) {
  const Guideline& guideline = *section.guideline;
  std::string text = fmt::format("\n{}: {}\n  {}\n  because {}", kVerdicts.of(verdict),
                                 guideline.name, guideline.formula, guideline.reason);
  text += guideline.source.starts_with('[') ? fmt::format(" {}\n", guideline.source) : "\n";
  text += fmt::format("  {:<19} {:>8}  {:>7}  {:>7}{}\n", "ratio", "launches", "left", "right",
                      parts_column(*section.findings.front(), "parts"));
  const std::size_t rows = section.findings.size();
  for (std::size_t i = 0; i < std::min(most_rows, rows); ++i) {
    text += row_of(*section.findings[i]);
  }
  if (rows > most_rows) text += fmt::format("  and {} more\n", rows - most_rows);
  if (verdict != Verdict::violated) return text;
  const Finding& worst = *section.findings.front();
  const std::string repair = repair_text(worst, head);
  if (!repair.empty()) text += fmt::format("  repair: {}\n", repair);
  std::string_view label = "again:";
  for (const std::string& command : reproduce_commands(worst, head.machine.name)) {
    text += fmt::format("  {:<7} {}\n", std::exchange(label, ""), command);
  }
  return text;
}

std::string text_of(const Evaluation& evaluation, Verdict verdict, const ReportHead& head,
                    std::size_t most_guidelines, std::size_t most_rows) {
  const std::vector<Section> all = sections(evaluation, verdict);
  std::string text;
  for (std::size_t i = 0; i < std::min(most_guidelines, all.size()); ++i) {
    text += text_of(all[i], verdict, head, most_rows);
  }
  if (all.size() > most_guidelines) {
    text += fmt::format("\n{} of {} guidelines more: see --format json\n", kVerdicts.of(verdict),
                        all.size() - most_guidelines);
  }
  return text;
}

std::string summary(const Evaluation& evaluation) {
  std::string text =
      fmt::format("\n{} comparisons: {} violated, {} undecided, {} hold\n",
                  evaluation.findings.size(), count(evaluation, Verdict::violated),
                  count(evaluation, Verdict::undecided), count(evaluation, Verdict::holds));
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
  return machine_text(head, evaluation.tolerance) + summary(evaluation) +
         text_of(evaluation, Verdict::violated, head, 100, 10) +
         text_of(evaluation, Verdict::undecided, head, 5, 2) + std::string{kLegend};
}

}  // namespace breakeven::guidelines
