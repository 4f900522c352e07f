// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const CellGroup& group) {
  return {{"procs", group.layout.procs},
          {"nodes", group.layout.nodes},
          {"procs_per_node", group.layout.procs_per_node},
          {"mapping", to_text(group.layout.mapping)},
          {"datatype", kDatatypes.of(group.datatype)}};
}

Json to_json(const Case& term) {
  return {{"collective", kCollectives.of(term.collective)},
          {"algorithm", term.algorithm},
          {"params", term.params},
          {"message_bytes", term.message.value}};
}

Json to_json(const GuidelineResult& finding) {
  Json json = to_json(finding.cell.group);
  json["op"] = kOps.of(finding.cell.op);
  json["root"] = finding.cell.root.value;
  json["total_bytes"] = finding.cell.total.value;
  json["verdict"] = kGuidelineVerdicts.of(finding.verdict);
  json["left_s"] = finding.left.value;
  json["right_s"] = finding.right.value;
  json["ratio"] = {{"median", finding.ratio.median},
                   {"low", finding.ratio.low},
                   {"high", finding.ratio.high},
                   {"coverage", finding.ratio.coverage},
                   {"launches", finding.ratio.count}};
  json["oversubscribed"] = finding.oversubscribed;
  json["terms"] = Json::array();
  for (const Case& term : finding.terms) json["terms"].push_back(to_json(term));
  return json;
}

Json to_json(const Outcome& outcome) {
  Json json{{"number", outcome.guideline->number},
            {"name", outcome.guideline->name},
            {"inequality", to_text(*outcome.guideline)},
            {"source", outcome.guideline->source},
            {"tested", tested(outcome)},
            {"findings", Json::array()},
            {"gaps", Json::array()}};
  for (const auto& verdict : kGuidelineVerdicts.entries)
    json[verdict.name] = count(outcome, verdict.value);
  for (const GuidelineResult& finding : outcome.findings)
    json["findings"].push_back(to_json(finding));
  for (const auto& [group, text] : outcome.gaps) {
    Json gap = to_json(group);
    gap["text"] = text;
    json["gaps"].push_back(std::move(gap));
  }
  return json;
}

}  // namespace

std::string report_json(const Evaluation& evaluation, const Machine& machine) {
  Json json{{"format", "breakeven-guidelines-1"},
            {"machine",
             {{"name", machine.name},
              {"library_version", machine.library_version},
              {"cpu", machine.cpu}}},
            {"implementation", evaluation.implementation},
            {"tolerance", evaluation.tolerance},
            {"exit_status", exit_status(evaluation)},
            {"guidelines", Json::array()}};
  for (const Outcome& outcome : evaluation.outcomes) {
    json["guidelines"].push_back(to_json(outcome));
  }
  return json.dump(2) + "\n";
}

}  // namespace breakeven::guidelines
