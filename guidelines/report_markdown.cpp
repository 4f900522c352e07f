// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

std::string report_markdown(const Evaluation& evaluation, const ReportHead& head) {
  const int violated = count(evaluation, Verdict::violated);
  std::string text =
      fmt::format("### {} performance guidelines: {} violated\n\n{} on {} (tolerance {:.3g} %).\n",
                  head.machine.name, violated, counts_text(evaluation),
                  head.machine.library_version, 100 * evaluation.tolerance);
  for (const std::string& each : all_remarks(evaluation)) text += fmt::format("\n* {}", each);
  if (!all_remarks(evaluation).empty()) text += "\n";
  if (violated == 0) return text;
  text += "\n| guideline | problem | ratio | launches | repair |\n|---|---|---|---|---|\n";
  for (const Finding* each : worst(evaluation, Verdict::violated)) {
    text += fmt::format("| `{}` | {}; {} | **{:.2f}** ({:.2f} to {:.2f}) | {} of {} | {} |\n",
                        each->comparison.guideline->name, problem_text(each->comparison.left.what),
                        sides_text(*each), each->ratio.ratio, each->ratio.low, each->ratio.high,
                        each->above, each->launches, repair_text(*each, head));
  }
  return text;
}

}  // namespace breakeven::guidelines
