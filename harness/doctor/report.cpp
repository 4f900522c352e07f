// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/folded.hpp"
#include "harness/doctor/examine.hpp"
#include "harness/protocol/facts_json.hpp"

namespace breakeven::doctor {

namespace {

constexpr std::string_view kFormat = "breakeven-doctor-1";

/// "  effect  text", broken between words, the further lines indented as deep.
std::string wrapped(std::string_view label, const std::string& text) {
  constexpr std::size_t kWidth = 96;
  constexpr std::size_t kIndent = 10;
  std::string result = fmt::format("  {:<{}}", label, kIndent - 2);
  std::size_t column = kIndent;
  std::istringstream words{text};
  for (std::string word; words >> word;) {
    if (column > kIndent && column + word.size() >= kWidth) {
      result += fmt::format("\n{:{}}", "", kIndent);
      column = kIndent;
    }
    if (column > kIndent) result += " ";
    result += word;
    column += word.size() + 1;
  }
  return result + "\n";
}

/// Where, if there is more than one node to tell apart.
std::string place(const Finding& finding, std::size_t nodes) {
  if (finding.node.empty() || nodes == 1) return "";
  const std::string more =
      finding.alike > 1 ? fmt::format(" and {} of {} more", finding.alike - 1, nodes - 1) : "";
  return fmt::format(" on {}{}", finding.node, more);
}

std::string paragraph(const Finding& finding, std::size_t nodes) {
  const Diagnosis& verdict = finding.verdict;
  std::string text = fmt::format("\n{}: {}{}\n", kSeverities.of(verdict.severity), finding.name,
                                 place(finding, nodes)) +
                     wrapped("seen", verdict.seen) + wrapped("effect", verdict.effect);
  if (!verdict.fix.empty()) text += wrapped("fix", verdict.fix);
  return text;
}

std::size_t ranks_of(const Examination& examination) {
  std::size_t ranks = 0;
  for (const protocol::NodeFacts& node : examination.nodes) ranks += node.ranks.size();
  return ranks;
}

std::string head(const Examination& examination) {
  const auto found = [&](Severity severity) {
    return std::ranges::count(examination.findings, severity,
                              [](const Finding& finding) { return finding.verdict.severity; });
  };
  std::vector<std::string> hosts;
  std::string starter;
  for (const protocol::NodeFacts& node : examination.nodes) {
    if (!node.ranks.empty()) hosts.push_back(node.host.name);
    if (node.ranks.empty()) starter = fmt::format("{} (starts the job only)", node.host.name);
  }
  std::string where = folded(hosts);
  if (!starter.empty()) where += fmt::format("{}{}", where.empty() ? "" : " ", starter);
  const std::string what = examination.machine.empty()
                               ? "this host without MPI (binding and library are not looked at)"
                               : examination.machine;
  return fmt::format("{}, {} ranks on {}: {} warnings, {} notes, {} ok\n", what,
                     ranks_of(examination), where, found(Severity::warning), found(Severity::note),
                     found(Severity::ok));
}

Json finding_json(const Finding& finding) {
  return {{"name", finding.name},
          {"severity", kSeverities.of(finding.verdict.severity)},
          {"node", finding.node.empty() ? Json{} : Json(finding.node)},
          {"nodes_alike", finding.alike},
          {"seen", finding.verdict.seen},
          {"effect", finding.verdict.effect},
          {"fix", finding.verdict.fix}};
}

}  // namespace

std::string report_text(const Examination& examination) {
  const std::size_t nodes = examination.nodes.size();
  std::string text = head(examination);
  std::string ok;
  for (const Finding& finding : examination.findings) {
    if (finding.verdict.severity == Severity::ok) {
      ok += fmt::format("  {}{}: {}\n", finding.name, place(finding, nodes), finding.verdict.seen);
    } else {
      text += paragraph(finding, nodes);
    }
  }
  return ok.empty() ? text : text + "\nok:\n" + ok;
}

std::string report_json(const Examination& examination) {
  Json findings = Json::array();
  for (const Finding& finding : examination.findings) findings.push_back(finding_json(finding));
  const Json document{{"format", kFormat},
                      {"machine", examination.machine.empty() ? Json{} : Json(examination.machine)},
                      {"ranks", ranks_of(examination)},
                      {"findings", std::move(findings)},
                      {"nodes", json_of(examination.nodes)}};
  return line_of(document);
}

}  // namespace breakeven::doctor
