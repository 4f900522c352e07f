// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/json.hpp"
#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

Json finding_json(const Finding& finding, const ReportHead& head) {
  const Comparison& comparison = finding.comparison;
  return {{"guideline", comparison.guideline->name},
          {"verdict", kVerdicts.of(finding.verdict)},
          {"since", kSince.of(finding.since)},
          {"cause", finding.cause},
          {"waived", finding.waived},
          {"left", json_of(comparison.left.what)},
          {"right", json_of(comparison.right.what)},
          {"factor", comparison.factor},
          {"left_s", finding.left.value},
          {"right_s", finding.right.value},
          {"parts_s", json_of(finding.parts)},
          {"ratio", json_of(finding.ratio)},
          {"launches", finding.launches},
          {"above", finding.above},
          {"p_value", finding.p_value},
          {"oversubscribed", oversubscribed(finding)},
          {"aside", finding.aside},
          {"best", to_text(finding.best)},
          {"reproduce",
           fmt::format("{}", fmt::join(reproduce_commands(finding, head.machine.name), " && "))}};
}

}  // namespace

std::string report_json(const Evaluation& evaluation, const ReportHead& head) {
  Json json{{"format", "breakeven-guidelines-1"},
            {"machine", json_of(head.machine)},
            {"tolerance", evaluation.tolerance},
            {"level", kLevel},
            {"fail_on_undecided", evaluation.fail_on_undecided},
            {"exit_status", exit_status(evaluation)},
            {"remarks", all_remarks(evaluation)},
            {"not_tested", Json::array()},
            {"findings", Json::array()}};
  for (const auto& verdict : kVerdicts.entries) {
    json[verdict.name] = count(evaluation, verdict.value);
  }
  for (const Guideline* each : evaluation.not_tested) json["not_tested"].push_back(each->name);
  for (const Finding& each : evaluation.findings)
    json["findings"].push_back(finding_json(each, head));
  return json.dump(2) + "\n";
}

std::string report_bencher(const Evaluation& evaluation, const ReportHead& /*head*/) {
  Json json = Json::object();
  for (const Finding& each : evaluation.findings) {
    const std::string name = fmt::format("{} {} {}", each.comparison.guideline->name,
                                         problem_text(each.comparison.left.what), sides_text(each));
    json[name]["ratio"] = {{"value", each.ratio.ratio},
                           {"lower_value", each.ratio.low},
                           {"upper_value", each.ratio.high}};
  }
  return json.dump(2) + "\n";
}

}  // namespace breakeven::guidelines
