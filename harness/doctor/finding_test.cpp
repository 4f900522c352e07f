// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/finding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/doctor/examine.hpp"

namespace breakeven::doctor {
namespace {

protocol::NodeFacts node(const std::string& name, const std::string& governor,
                         const std::string& clock) {
  return {.host = {.name = name,
                   .clock_source = clock,
                   .frequency = {.governors = {{governor, 1}}, .turbo = false}},
          .ranks = {protocol::RankFacts{.rank = 0, .cpus = {0}, .noise = {.window_s = 1}}}};
}

Finding found(const std::vector<protocol::NodeFacts>& nodes, std::string_view name) {
  const std::vector<Finding> findings = diagnose(nodes);
  return *std::ranges::find(findings, name, &Finding::name);
}

TEST(Diagnose, NamesTheWorstNodeAndCountsThoseAlike) {
  const Finding governor = found({node("a", "performance", "tsc"), node("b", "powersave", "tsc"),
                                  node("c", "ondemand", "tsc")},
                                 "governor");
  EXPECT_EQ(governor.node, "b");
  EXPECT_EQ(governor.alike, 2);
  EXPECT_EQ(governor.verdict.severity, Severity::warning);
}

TEST(Diagnose, WhatOnlyStartsTheJobIsNoMoreThanANote) {
  std::vector<protocol::NodeFacts> nodes{node("a", "performance", "tsc"),
                                         node("login", "powersave", "tsc")};
  nodes[1].ranks.clear();
  EXPECT_EQ(found(nodes, "governor").verdict.severity, Severity::note);
  nodes.erase(nodes.begin());
  EXPECT_EQ(found(nodes, "governor").verdict.severity, Severity::warning) << "no job at all";
}

TEST(Diagnose, PutsTheMostSevereFirst) {
  const std::vector<Finding> findings =
      diagnose(std::vector{node("a", "powersave", "hpet"), node("b", "performance", "tsc")});
  EXPECT_TRUE(std::ranges::is_sorted(findings, std::ranges::greater{}, [](const Finding& finding) {
    return finding.verdict.severity;
  }));
  EXPECT_EQ(findings.front().verdict.severity, Severity::warning);
  EXPECT_EQ(findings.back().verdict.severity, Severity::ok);
}

Examination examination() {
  Examination made{.machine = "mpich",
                   .nodes = {node("a", "powersave", "tsc"), node("b", "powersave", "tsc")}};
  made.findings = diagnose(made.nodes);
  return made;
}

TEST(Report, IsAParagraphForEachThingThatIsNotOk) {
  const std::string text = report_text(examination());
  EXPECT_TRUE(text.starts_with("mpich, 2 ranks on a,b: ")) << text;
  EXPECT_NE(text.find("\nwarning: governor on a and 1 of 1 more\n  seen    powersave (1)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  fix     cpupower frequency-set"), std::string::npos) << text;
  EXPECT_LT(text.find("\nwarning:"), text.find("\nnote:"));
  EXPECT_NE(text.find("\n  turbo on a and 1 of 1 more: off\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nok:\n", text.rfind("\nnote:")), std::string::npos) << text;
}

TEST(Report, IsMarkdownWithoutNamesOfHosts) {
  Examination made{.machine = "mpich",
                   .nodes = {node("alpha1", "powersave", "tsc"), node("beta2", "ondemand", "a|b")}};
  made.findings = diagnose(made.nodes);
  const std::string text = report_markdown(made, "breakeven 0 of beta2, not beta25");
  EXPECT_EQ(text.find("alpha1"), std::string::npos) << text;
  EXPECT_NE(text.find("\nbreakeven 0 of node1, not beta25\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n* node1: unknown processor; usable cores 1; "), std::string::npos) << text;
  EXPECT_NE(text.find("\n| warning | governor | powersave (1); driver unknown |\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("a\\|b"), std::string::npos) << text;
}

TEST(Report, IsOneJsonDocumentToo) {
  const auto document = nlohmann::json::parse(report_json(examination()));
  EXPECT_EQ(document.at("format"), "breakeven-doctor-1");
  EXPECT_EQ(document.at("ranks"), 2);
  EXPECT_EQ(document.at("nodes").at(1).at("host").at("name"), "b");
  const auto& first = document.at("findings").at(0);
  for (const char* key : {"name", "severity", "node", "nodes_alike", "seen", "effect", "fix"}) {
    EXPECT_TRUE(first.contains(key)) << key;
  }
}

}  // namespace
}  // namespace breakeven::doctor
