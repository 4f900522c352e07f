// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Case& what) {
  return {{"collective", kCollectives.of(what.collective)},
          {"algorithm", what.algorithm},
          {"params", what.params},
          {"procs", what.procs},
          {"nodes", what.nodes},
          {"procs_per_node", what.procs_per_node},
          {"mapping", to_text(what.mapping)},
          {"message_bytes", what.message.value},
          {"datatype", kDatatypes.of(what.datatype)},
          {"op", kOps.of(what.op)},
          {"root", what.root.value},
          {"counts", kCounts.of(what.counts)}};
}

Json to_json(const Finding& finding, const ReportHead& head) {
  const Comparison& comparison = finding.comparison;
  return {
      {"guideline", comparison.guideline->name},
      {"verdict", kVerdicts.of(finding.verdict)},
      {"since", kSince.of(finding.since)},
      {"cause", finding.cause},
      {"waived", finding.waived},
      {"left", to_json(comparison.left.what)},
      {"right", to_json(comparison.right.what)},
      {"factor", comparison.factor},
      {"left_s", finding.left.value},
      {"right_s", finding.right.value},
      {"parts_s", finding.parts ? Json(finding.parts->value) : Json()},
      {"ratio",
       {{"ratio", finding.ratio.ratio}, {"low", finding.ratio.low}, {"high", finding.ratio.high}}},
      {"launches", finding.launches},
      {"above", finding.above},
      {"p_value", finding.p_value},
      {"oversubscribed", oversubscribed(finding)},
      {"aside", finding.aside},
      {"best", finding.best},
      {"reproduce",
       fmt::format("{}", fmt::join(reproduce_commands(finding, head.machine.name), " && "))}};
}

}  // namespace

std::string report_json(const Evaluation& evaluation, const ReportHead& head) {
  Json json{{"format", "breakeven-guidelines-1"},
            {"machine",
             {{"name", head.machine.name},
              {"library_version", head.machine.library_version},
              {"cpu", head.machine.cpu},
              {"settings", to_text(head.machine.settings)}}},
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
  for (const Finding& each : evaluation.findings) json["findings"].push_back(to_json(each, head));
  return json.dump(2) + "\n";
}

}  // namespace breakeven::guidelines
