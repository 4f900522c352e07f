// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "guidelines/testing.hpp"

namespace breakeven::guidelines {
namespace {

using testing::on_node;

const ReportHead kHead{
    .machine = {.name = "mpich", .library_version = "MPICH 4.0.2", .cpu = "A \"fast\" CPU"},
    .database = "results.db"};

/// A mock-up of allreduce is twice as fast at 1 KiB and half as fast at 2 KiB; one of bcast was
/// measured too seldom.
Evaluation mixed() {
  const auto truth = [](const Case& what) {
    if (what.variant.is<Native>()) return 2e-6;
    return what.message.value == 1024 ? 1e-6 : 4e-6;
  };
  testing::Machine machine{1};
  std::vector<Case> cases;
  for (const std::int64_t bytes : {1024, 2048}) {
    cases.push_back(on_node(Collective::allreduce, std::string{kNative}, bytes));
    cases.push_back(on_node(Collective::allreduce, "native:reduce+bcast", bytes));
  }
  std::vector<Measurement> measurements = machine.measure(cases, 20, truth);
  const std::vector<Case> seldom{on_node(Collective::bcast, std::string{kNative}, 1024),
                                 on_node(Collective::bcast, "native:allgatherv", 1024)};
  for (const Measurement& each : machine.measure(seldom, 1, truth)) measurements.push_back(each);
  return evaluate(measurements);
}

TEST(ReportText, HasViolationsWithWhatRepairsAndRepeatsThem) {
  const std::string text = report_text(mixed(), kHead);
  EXPECT_NE(text.find("\n    allreduce_as_reduce+bcast: allreduce(m) <= reduce(m) + bcast(m), "
                      "because "),
            std::string::npos)
      << text;
  const std::regex row{
      R"(  [12]\.\d\d \(\d\.\d\d-\d\.\d\d\) +20 of 20  .* us  .* [nu]s  p = 4, 1 KiB, double sum\n)"};
  EXPECT_TRUE(std::regex_search(text, row)) << text;
  EXPECT_NE(text.find("repair: native:reduce+bcast in a table for breakeven run: breakeven tune"),
            std::string::npos);
  EXPECT_NE(text.find("breakeven sweep --machine mpich --collectives allreduce --algorithms "
                      "allreduce/native,native:allreduce/reduce+bcast --procs 4 --bytes 1024"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("bcast_as_allgatherv"), std::string::npos);
  EXPECT_NE(text.find("--db results.db --decide"), std::string::npos);
}

/// The rows of the list under a title.
int rows_under(const std::string& text, const std::string& title) {
  const std::size_t begin = text.find("\n" + title);
  if (begin == text.npos) return 0;
  const std::string list =
      text.substr(begin, text.find("\n\n", text.find("problem\n", begin)) - begin);
  const std::regex row{R"(\n  \d+\.\d\d \()"};
  return static_cast<int>(
      std::distance(std::sregex_iterator{list.begin(), list.end(), row}, std::sregex_iterator{}));
}

TEST(ReportText, ListsWhatItCounts) {
  const Evaluation evaluation = mixed();
  ReportHead head = kHead;
  EXPECT_EQ(rows_under(report_text(evaluation, head), "undecided"), 0);
  head.all = true;
  const std::string text = report_text(evaluation, head);
  EXPECT_EQ(rows_under(text, "undecided"), count(evaluation, Verdict::undecided)) << text;
  EXPECT_EQ(rows_under(text, "hold"), count(evaluation, Verdict::holds)) << text;
  EXPECT_NE(text.find("; bcast_as_allgatherv: undecided: one launch decides nothing"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(fmt::format("{} comparisons: 1 violated, ", evaluation.findings.size())),
            std::string::npos);
}

TEST(ReportText, SaysWhyAComparisonIsUndecided) {
  Evaluation evaluation{.tolerance = 0.05};
  Finding finding{.launches = 1};
  EXPECT_EQ(verdict_text(evaluation, finding), "undecided: one launch decides nothing");
  finding = {.ratio = {1.04, 0.98, 1.1}, .launches = 7};
  EXPECT_EQ(verdict_text(evaluation, finding), "undecided: the interval contains 1.05");
  finding = {.ratio = {2, 1.9, 2.1}, .launches = 2};
  EXPECT_EQ(verdict_text(evaluation, finding), "undecided: a violation takes 3 launches");
  finding = {.ratio = {2, 1.9, 2.1}, .launches = 3, .p_value = 0.3};
  EXPECT_NE(verdict_text(evaluation, finding).find("not beyond doubt among all comparisons"),
            std::string::npos);
  finding.verdict = Verdict::holds;
  EXPECT_EQ(verdict_text(evaluation, finding), "holds");
}

TEST(ReportText, HasTheWorstFirstOverAllGuidelines) {
  // Each guideline has a slight violation and a grave one.
  testing::Machine machine{1};
  std::vector<Case> cases;
  for (const auto& [collective, right] : {std::pair{Collective::bcast, "native:allgatherv"},
                                          {Collective::allreduce, "native:reduce+bcast"}}) {
    for (const std::int64_t bytes : {1024, 1025, 1026, 1027, 1028, 1029}) {
      cases.push_back(on_node(collective, std::string{kNative}, bytes));
      cases.push_back(on_node(collective, right, bytes));
    }
  }
  const auto truth = [](const Case& what) {
    const double factor = std::exp2(static_cast<double>(what.message.value - 1023));
    return what.variant.is<Native>() ? 1e-6 * factor : 1e-6;
  };
  Evaluation evaluation = evaluate(machine.measure(cases, 8, truth));
  const std::string text = report_text(evaluation, kHead);
  const std::regex row{R"(\n  (\d+\.\d\d) \()"};
  std::vector<double> ratios;
  for (std::sregex_iterator each{text.begin(), text.end(), row}; each != std::sregex_iterator{};
       ++each) {
    ratios.push_back(std::stod((*each)[1]));
  }
  EXPECT_EQ(ratios.size(), 10U) << text;
  EXPECT_TRUE(std::ranges::is_sorted(ratios, std::greater{})) << text;
  EXPECT_NE(text.find("and 2 more"), std::string::npos) << text;
  EXPECT_EQ(text.find("\n  *  "), std::string::npos) << "no row is marked";
  for (Finding& each : evaluation.findings) {
    if (each.ratio.ratio > 3) each.waived = "slow links";
  }
  const std::string waived = report_text(evaluation, kHead);
  EXPECT_LT(waived.find("\n  2."), waived.find("waived (slow links): ")) << waived;
}

TEST(ReportMarkdown, IsATableOfViolations) {
  const std::string text = report_markdown(mixed(), kHead);
  EXPECT_NE(text.find("\n| `allreduce_as_reduce+bcast` | p = 4, 1 KiB, double sum; native against"),
            std::string::npos)
      << text;
}

TEST(ReportJson, HasEveryFinding) {
  const Evaluation evaluation = mixed();
  const auto json = nlohmann::json::parse(report_json(evaluation, kHead));
  EXPECT_EQ(json["exit_status"], 1);
  EXPECT_EQ(json["violated"], 1);
  ASSERT_EQ(json["findings"].size(), evaluation.findings.size());
  const auto& first = json["findings"][0];
  EXPECT_EQ(first["guideline"], "allreduce_as_reduce+bcast");
  EXPECT_EQ(first["verdict"], "violated");
  EXPECT_EQ(first["launches"], 20);
  EXPECT_EQ(first["right"]["algorithm"], "native:reduce+bcast");
  EXPECT_NEAR(first["ratio"]["ratio"].get<double>(), 2, 0.1);
}

/// The schema requires a testsuite with tests and failures, and testcases with a name and a
/// classname.
TEST(ReportJunit, HasATestCaseForEachComparison) {
  Evaluation evaluation = mixed();
  evaluation.findings.back().aside = true;
  std::istringstream text{report_junit(evaluation, kHead)};
  boost::property_tree::ptree tree;
  read_xml(text, tree);
  const auto& suite = tree.get_child("testsuites.testsuite");
  int failed = 0;
  int skipped = 0;
  std::set<std::string> names;
  for (const auto& [name, test] : suite) {
    if (name != "testcase") continue;
    EXPECT_FALSE(test.get<std::string>("<xmlattr>.name").empty());
    EXPECT_FALSE(test.get<std::string>("<xmlattr>.classname").empty());
    names.insert(test.get<std::string>("<xmlattr>.name"));
    failed += static_cast<int>(test.count("failure"));
    skipped += static_cast<int>(test.count("skipped"));
    EXPECT_FALSE(test.count("skipped") > 0 &&
                 test.get<std::string>("skipped.<xmlattr>.message").empty());
  }
  EXPECT_EQ(names.size(), evaluation.findings.size());
  EXPECT_EQ(suite.get<std::size_t>("<xmlattr>.tests"), suite.count("testcase"));
  EXPECT_EQ(suite.get<int>("<xmlattr>.failures"), failed);
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(suite.get<int>("<xmlattr>.skipped"), skipped);
  EXPECT_EQ(skipped, count(evaluation, Verdict::undecided) + 1);
}

/// The schema of SARIF 2.1.0, for the parts that are used.
TEST(ReportSarif, HasARuleForEachResult) {
  const auto json = nlohmann::json::parse(report_sarif(mixed(), kHead));
  EXPECT_EQ(json["version"], "2.1.0");
  const auto& run = json["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "breakeven");
  ASSERT_EQ(run["results"].size(), 1U);
  const auto& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], run["tool"]["driver"]["rules"][0]["id"]);
  EXPECT_TRUE(result["message"]["text"].is_string());
  EXPECT_EQ(result["level"], "error");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "results.db");
}

TEST(ReportBencher, HasAValueWithinItsInterval) {
  const auto json = nlohmann::json::parse(report_bencher(mixed(), kHead));
  ASSERT_FALSE(json.empty());
  for (const auto& [name, measures] : json.items()) {
    const auto& ratio = measures["ratio"];
    EXPECT_LE(ratio["lower_value"], ratio["value"]) << name;
    EXPECT_GE(ratio["upper_value"], ratio["value"]) << name;
  }
}

/// The grammar of OpenMetrics 1.0: comments of a family before its samples, labels in braces, EOF.
TEST(ReportOpenmetrics, IsOfItsGrammar) {
  std::istringstream text{report_openmetrics(mixed(), kHead)};
  const std::regex comment{R"(# (TYPE [a-z_]+ gauge|HELP [a-z_]+ .+|EOF))"};
  const std::regex sample{
      R"re([a-z_]+\{[a-z_]+="(\\.|[^"\\])*"(,[a-z_]+="(\\.|[^"\\])*")*\} [-+0-9.e]+)re"};
  std::string last;
  for (std::string line; std::getline(text, line); last = line) {
    EXPECT_NE(last, "# EOF");
    EXPECT_TRUE(std::regex_match(line, line.front() == '#' ? comment : sample)) << line;
  }
  EXPECT_EQ(last, "# EOF");
}

}  // namespace
}  // namespace breakeven::guidelines
