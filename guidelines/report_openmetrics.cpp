// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

/// The text between a label's quotes.
std::string escaped(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '\\' || letter == '"') escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

std::string labels_of(const Finding& finding, const ReportHead& head) {
  const Case& left = finding.comparison.left.what;
  return fmt::format(
      R"({{machine="{}",guideline="{}",sides="{}",problem="{}",verdict="{}",aside="{}"}})",
      escaped(head.machine.name), finding.comparison.guideline->name, escaped(sides_text(finding)),
      escaped(problem_text(left)), kVerdicts.of(finding.verdict), finding.aside);
}

}  // namespace

std::string report_openmetrics(const Evaluation& evaluation, const ReportHead& head) {
  std::string text =
      "# TYPE breakeven_guideline_comparisons gauge\n"
      "# HELP breakeven_guideline_comparisons Comparisons by verdict.\n";
  for (const auto& verdict : kVerdicts.entries) {
    text += fmt::format("breakeven_guideline_comparisons{{machine=\"{}\",verdict=\"{}\"}} {}\n",
                        escaped(head.machine.name), verdict.name, count(evaluation, verdict.value));
  }
  text +=
      "# TYPE breakeven_guideline_remark gauge\n"
      "# HELP breakeven_guideline_remark How the machine differs from the baseline's.\n";
  for (const std::string& each : all_remarks(evaluation)) {
    text += fmt::format("breakeven_guideline_remark{{machine=\"{}\",text=\"{}\"}} 1\n",
                        escaped(head.machine.name), escaped(each));
  }
  text +=
      "# TYPE breakeven_guideline_ratio gauge\n"
      "# HELP breakeven_guideline_ratio Time of the left side divided by that of the right side.\n";
  for (const Finding& each : evaluation.findings) {
    text += fmt::format("breakeven_guideline_ratio{} {:.6g}\n", labels_of(each, head),
                        each.ratio.ratio);
  }
  return text + "# EOF\n";
}

}  // namespace breakeven::guidelines
