// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace breakeven::guidelines {

std::span<const ReportFormat> report_formats() {
  static constexpr std::array kFormats{ReportFormat{"text", report_text},
                                       ReportFormat{"markdown", report_markdown},
                                       ReportFormat{"json", report_json},
                                       ReportFormat{"junit", report_junit},
                                       ReportFormat{"sarif", report_sarif},
                                       ReportFormat{"bencher", report_bencher},
                                       ReportFormat{"openmetrics", report_openmetrics}};
  return kFormats;
}

std::string problem_text(const Case& what) {
  std::string text = fmt::format("p = {}", what.procs);
  if (what.nodes > 1) {
    text += fmt::format(" ({} nodes of {}, {})", what.nodes, what.procs_per_node,
                        to_text(what.mapping));
  }
  if (moves_data(what.collective)) {
    text += fmt::format(", {}, {}", to_text(what.message), kDatatypes.of(what.datatype));
  }
  if (what.op != Op::none) text += fmt::format(" {}", kOps.of(what.op));
  for (const std::string& each : particulars(what)) text += ", " + each;
  return text;
}

std::string right_text(const Finding& finding) {
  const Case& left = finding.comparison.left.what;
  const Case& right = finding.comparison.right.what;
  if (left == right || right.variant.is<Composed>()) return {};
  if (without_algorithm(left) == without_algorithm(right)) return to_text(right.variant);
  const std::string other =
      left.procs == right.procs ? to_text(right.message) : fmt::format("p = {}", right.procs);
  if (finding.comparison.factor == 1) return other;
  return fmt::format("{} times {}", finding.comparison.factor, other);
}

std::string sides_text(const Finding& finding) {
  const Comparison& comparison = finding.comparison;
  if (comparison.left.what == comparison.right.what) return "now against the baseline";
  const std::string right = right_text(finding);
  return fmt::format("native against {}",
                     right.empty() ? comparison.right.what.variant.algorithm() : right);
}

std::string counts_text(const Evaluation& evaluation) {
  const std::vector<const Finding*> violated = worst(evaluation, Verdict::violated);
  const auto accepted = std::ranges::count_if(
      violated, [&](const Finding* each) { return !fails(evaluation, *each); });
  const int undecided = count(evaluation, Verdict::undecided);
  const int hold = count(evaluation, Verdict::holds);
  return fmt::format("{} comparisons: {} violated{}, {} undecided, {} hold",
                     std::ssize(violated) + undecided + hold, violated.size(),
                     accepted == 0 ? "" : fmt::format(" ({} waived or known)", accepted), undecided,
                     hold);
}

std::string verdict_text(const Evaluation& evaluation, const Finding& finding) {
  const double bound = 1 + evaluation.tolerance;
  std::string text{kVerdicts.of(finding.verdict)};
  if (finding.verdict != Verdict::undecided) return text;
  if (!finding.cause.empty()) return text + ": " + finding.cause;
  if (finding.launches < 2) return text + ": one launch decides nothing";
  if (finding.ratio.low <= bound) {
    return text + fmt::format(": the interval contains {:.3g}", bound);
  }
  if (finding.launches < stats::kLeastLaunches) {
    return text + fmt::format(": a violation takes {} launches", stats::kLeastLaunches);
  }
  return text +
         fmt::format(": above {:.3g}, but not beyond doubt among all comparisons (p = {:.2g})",
                     bound, finding.p_value);
}

std::vector<std::string> all_remarks(const Evaluation& evaluation) {
  std::vector<std::string> remarks = evaluation.remarks;
  std::map<std::string, int> causes;
  for (const Finding& each : evaluation.findings) {
    if (!each.cause.empty()) ++causes[each.cause];
  }
  for (const auto& [cause, count] : causes) {
    remarks.push_back(fmt::format("undecided against the baseline, {}: {}", count, cause));
  }
  return remarks;
}

std::vector<const Finding*> worst_by_problem(const Evaluation& evaluation, Verdict verdict) {
  std::vector<const Finding*> all = worst(evaluation, verdict);
  std::set<std::pair<const Guideline*, Case>> told;
  std::erase_if(all, [&](const Finding* each) {
    return !told.emplace(each->comparison.guideline, each->comparison.left.what).second;
  });
  return all;
}

std::vector<Section> sections(const Evaluation& evaluation, Verdict verdict) {
  std::vector<Section> all;
  for (const Finding* each : worst_by_problem(evaluation, verdict)) {
    const Guideline* const guideline = each->comparison.guideline;
    auto section = std::ranges::find(all, guideline, &Section::guideline);
    if (section == all.end()) section = all.insert(all.end(), {guideline});
    section->findings.push_back(each);
  }
  return all;
}

namespace {

/// " --datatype double --op sum"
std::string data_options(const Case& what) {
  std::string options;
  if (moves_data(what.collective))
    options += fmt::format(" --datatype {}", kDatatypes.of(what.datatype));
  if (what.op != Op::none) options += fmt::format(" --op {}", kOps.of(what.op));
  if (rooted(what.collective)) options += fmt::format(" --root {}", what.root.value);
  return options;
}

}  // namespace

std::vector<std::string> reproduce_commands(const Finding& finding, std::string_view machine) {
  const Case& left = finding.comparison.left.what;
  const Case& right = finding.comparison.right.what;
  if (left == right) return {"measure the baseline and this machine again"};
  const std::set<std::int64_t> bytes{left.message.value, right.message.value};
  const std::set<std::string> algorithms{algorithm_text(left), algorithm_text(right)};
  std::string sweep =
      fmt::format("breakeven sweep --machine {} --collectives {} --algorithms {}", machine,
                  kCollectives.of(left.collective), fmt::join(algorithms, ","));
  if (left.comms_per_node > 1 || right.comms_per_node > 1 || left.nodes != right.nodes) {
    const std::set<std::string> layouts{shape_text(layout_of(left)), shape_text(layout_of(right))};
    sweep +=
        fmt::format(" --layouts {} --mapping {}", fmt::join(layouts, ","), to_text(left.mapping));
  } else {
    const std::set<int> procs{left.procs, right.procs};
    sweep += fmt::format(" --procs {}", fmt::join(procs, ","));
    if (left.nodes > 1)
      sweep += fmt::format(" --nodes {} --mapping {}", left.nodes, to_text(left.mapping));
  }
  if (moves_data(left.collective)) sweep += fmt::format(" --bytes {}", fmt::join(bytes, ","));
  sweep += data_options(left);
  if (irregular(left.collective)) sweep += fmt::format(" --counts {}", kCounts.of(left.counts));
  if (left.form != CallForm::blocking)
    sweep += fmt::format(" --forms {}", kCallForms.of(left.form));
  return {sweep + " --racing false --db again.db",
          fmt::format("breakeven check --db again.db --guidelines {}",
                      finding.comparison.guideline->name)};
}

std::string repair_text(const Finding& finding, const ReportHead& head) {
  const Case& right = finding.comparison.right.what;
  if (!finding.best.is<Native>()) {
    return fmt::format("{} in a table{}: breakeven tune --db {} --machine {}{} --out repair",
                       to_text(finding.best),
                       finding.best.is<Composed>() ? " for breakeven run" : "", head.database,
                       head.machine.name, data_options(finding.comparison.left.what));
  }
  const Composed* const mock_up = right.variant.mock_up();
  if (mock_up == nullptr) return "";
  const bool form = kCallForms.find(mock_up->terms).has_value();
  return fmt::format("call {}{} in its place", form ? "the form " : "", mock_up->terms);
}

}  // namespace breakeven::guidelines
