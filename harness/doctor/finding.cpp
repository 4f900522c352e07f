// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/finding.hpp"

#include <algorithm>

#include "harness/doctor/catalogue.hpp"

namespace breakeven::doctor {

namespace {

/// The most severe result of a check of single nodes.
std::optional<Finding> worst(const Check& check, Check::OfNode look,
                             std::span<const protocol::NodeFacts> nodes) {
  const bool job = std::ranges::any_of(nodes, [](const auto& node) { return !node.ranks.empty(); });
  std::optional<Finding> found;
  for (const protocol::NodeFacts& node : nodes) {
    std::optional<Diagnosis> verdict = look(node);
    if (!verdict) continue;
    if (job && node.ranks.empty()) verdict->severity = std::min(verdict->severity, Severity::note);
    if (found && found->verdict.severity == verdict->severity) ++found->alike;
    if (!found || verdict->severity > found->verdict.severity) {
      found = {.name = std::string{check.name}, .node = node.host.name, .verdict = *verdict};
    }
  }
  return found;
}

std::optional<Finding> of_all(const Check& check, Check::OfAll look,
                              std::span<const protocol::NodeFacts> nodes) {
  std::optional<Diagnosis> verdict = look(nodes);
  if (!verdict) return std::nullopt;
  return Finding{.name = std::string{check.name}, .verdict = *verdict};
}

}  // namespace

std::vector<Finding> diagnose(std::span<const protocol::NodeFacts> nodes) {
  std::vector<Finding> findings;
  for (const Check& check : kChecks) {
    const auto* single = std::get_if<Check::OfNode>(&check.look);
    const std::optional<Finding> finding =
        single != nullptr ? worst(check, *single, nodes)
                          : of_all(check, std::get<Check::OfAll>(check.look), nodes);
    if (finding) findings.push_back(*finding);
  }
  std::ranges::stable_sort(findings, std::ranges::greater{},
                           [](const Finding& finding) { return finding.verdict.severity; });
  return findings;
}

}  // namespace breakeven::doctor
