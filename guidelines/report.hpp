// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/launch.hpp"
#include "guidelines/evaluate.hpp"

namespace breakeven::guidelines {

/// The head of reports.
struct ReportHead {
  Machine machine{};
  std::string database{};
  bool all = false;  ///< the text lists every comparison
};

/// For people: fixed-width text of the worst violations; other findings are counted, or listed.
[[nodiscard]] std::string report_text(const Evaluation& evaluation, const ReportHead& head);
/// The same as a page of Markdown, for a pull request.
[[nodiscard]] std::string report_markdown(const Evaluation& evaluation, const ReportHead& head);
/// For programs: every finding. Durations in seconds, sizes in bytes.
[[nodiscard]] std::string report_json(const Evaluation& evaluation, const ReportHead& head);
/// JUnit's XML: a test case for each comparison, skipped with a reason unless it holds or fails.
[[nodiscard]] std::string report_junit(const Evaluation& evaluation, const ReportHead& head);
/// SARIF 2.1.0, for code scanning: a result for each violation.
[[nodiscard]] std::string report_sarif(const Evaluation& evaluation, const ReportHead& head);
/// Bencher's metric format: each ratio with its interval.
[[nodiscard]] std::string report_bencher(const Evaluation& evaluation, const ReportHead& head);
/// OpenMetrics' text: each ratio, and the number of comparisons by verdict.
[[nodiscard]] std::string report_openmetrics(const Evaluation& evaluation, const ReportHead& head);

/// A form of report, as `check --format` names it.
struct ReportFormat {
  std::string_view name;
  std::string (*write)(const Evaluation& evaluation, const ReportHead& head);
};
[[nodiscard]] std::span<const ReportFormat> report_formats();

// Texts that the reports share.

/// "p = 4, 1 KiB, int sum": the left side's problem.
[[nodiscard]] std::string problem_text(const Case& what);
/// "native against native:reduce+bcast", "native against 8 times 32 KiB".
[[nodiscard]] std::string sides_text(const Finding& finding);
/// The right side where the guideline's name doesn't say it: "openmpi:ring", "8 times 32 KiB".
[[nodiscard]] std::string right_text(const Finding& finding);
/// "120 comparisons: 3 violated (1 waived or known), 12 undecided, 105 hold"
[[nodiscard]] std::string counts_text(const Evaluation& evaluation);
/// "violated", "holds", "undecided: " and why.
[[nodiscard]] std::string verdict_text(const Evaluation& evaluation, const Finding& finding);
/// The remarks of every report: how the machine differs from the baseline's, and why comparisons
/// with it are undecided, each once.
[[nodiscard]] std::vector<std::string> all_remarks(const Evaluation& evaluation);
/// The findings with a verdict, the worst first: only the worst of a guideline in each problem.
[[nodiscard]] std::vector<const Finding*> worst_by_problem(const Evaluation& evaluation,
                                                           Verdict verdict);
/// The findings of one guideline.
struct Section {
  const Guideline* guideline = nullptr;
  std::vector<const Finding*> findings{};
};
/// The same by guideline, the guideline with the worst finding first.
[[nodiscard]] std::vector<Section> sections(const Evaluation& evaluation, Verdict verdict);
/// The commands that measure both sides again, and judge them.
[[nodiscard]] std::vector<std::string> reproduce_commands(const Finding& finding,
                                                          std::string_view machine);
/// The choice in the place of the default; empty where nothing measured is faster.
[[nodiscard]] std::string repair_text(const Finding& finding, const ReportHead& head);

}  // namespace breakeven::guidelines
