// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <set>

#include "core/json.hpp"
#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

Json rule_of(const Guideline& guideline) {
  return {
      {"id", guideline.name},
      {"shortDescription", {{"text", guideline.formula}}},
      {"fullDescription", {{"text", fmt::format("{} {}", guideline.reason, guideline.source)}}}};
}

Json result_of(const Finding& finding, const ReportHead& head) {
  const Case& left = finding.comparison.left.what;
  const std::string place =
      fmt::format("{}, {}", kCollectives.of(left.collective), problem_text(left));
  return {{"ruleId", finding.comparison.guideline->name},
          {"level", "error"},
          {"message",
           {{"text", fmt::format("{}: {} is {:.2f} ({:.2f} to {:.2f}) times as slow", place,
                                 sides_text(finding), finding.ratio.ratio, finding.ratio.low,
                                 finding.ratio.high)}}},
          {"locations",
           {{{"physicalLocation", {{"artifactLocation", {{"uri", head.database}}}}},
             {"logicalLocations", {{{"name", place}}}}}}},
          {"partialFingerprints",
           {{"guidelineProblem/v1",
             fmt::format("{} {}", finding.comparison.guideline->name, to_text(left))}}}};
}

}  // namespace

std::string report_sarif(const Evaluation& evaluation, const ReportHead& head) {
  Json rules = Json::array();
  Json results = Json::array();
  std::set<const Guideline*> told;
  for (const Finding* each : worst(evaluation, Verdict::violated)) {
    if (!fails(evaluation, *each)) continue;
    const Guideline* const guideline = each->comparison.guideline;
    if (told.insert(guideline).second) rules.push_back(rule_of(*guideline));
    results.push_back(result_of(*each, head));
  }
  Json notifications = Json::array();
  for (const std::string& each : all_remarks(evaluation)) {
    notifications.push_back({{"level", "warning"}, {"message", {{"text", each}}}});
  }
  const Json json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs",
                   {{{"tool", {{"driver", {{"name", "breakeven"}, {"rules", std::move(rules)}}}}},
                     {"invocations",
                      {{{"executionSuccessful", true},
                        {"toolExecutionNotifications", std::move(notifications)}}}},
                     {"results", std::move(results)}}}}};
  return json.dump(2) + "\n";
}

}  // namespace breakeven::guidelines
