// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "guidelines/testing.hpp"

namespace breakeven::guidelines {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using testing::on_four;

/// Guideline 5: violated at 64 B and more so at 128 B, held at 256 B, with two launches at 512 B;
/// not tested at p = 8. Nothing for the others.
Evaluation mixed(const std::string& implementation = "native") {
  Case elsewhere = on_four(Collective::reduce, 64);
  elsewhere.procs = elsewhere.procs_per_node = 8;
  auto measurements = join({launches(elsewhere, {10, 10, 10}),
                            launches(on_four(Collective::reduce, 64), {20, 22, 24}),
                            launches(on_four(Collective::reduce, 128), {60, 60, 60}),
                            launches(on_four(Collective::reduce, 256), {5, 5, 5}),
                            launches(on_four(Collective::reduce, 512), {50, 50})});
  for (const std::int64_t total : {64, 128, 256, 512}) {
    measurements =
        join({measurements, launches(on_four(Collective::allreduce, total), {10, 10, 10})});
  }
  measurements[3].oversubscribed = true;
  return evaluate(measurements, {.implementation = implementation});
}

const Machine kMachine{.name = "mpich", .library_version = "MPICH Version: 4.0.2", .cpu = "A CPU"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The index of the first line with `word` in it, or the number of lines.
std::size_t line_with(const std::vector<std::string>& lines, const std::string& word) {
  const auto found = std::ranges::find_if(
      lines, [&](const auto& line) { return line.find(word) != std::string::npos; });
  return static_cast<std::size_t>(found - lines.begin());
}

TEST(ReportText, ShowsTheWorstViolationFirst) {
  const auto lines = lines_of(report_text(mixed(), kMachine));
  const std::size_t columns = line_with(lines, "verdict");
  ASSERT_LT(columns + 4, lines.size());
  EXPECT_EQ(lines[columns + 1],
            "       4     1x4  seq  int sum         128 B    60 us    10 us  6.00 (6.00-6.00)  "
            "3 (75%)   violated");
  EXPECT_EQ(lines[columns + 2],
            "       4*    1x4  seq  int sum          64 B    22 us    10 us  2.20 (2.00-2.40)  "
            "3 (75%)   violated");
  EXPECT_NE(lines[columns + 3].find("holds"), std::string::npos);
  EXPECT_NE(lines[columns + 4].find("too_few"), std::string::npos);
}

TEST(ReportText, SumsUpEachGuideline) {
  const auto lines = lines_of(report_text(mixed(), kMachine));
  const std::size_t last = line_with(lines, "(5) reduce(m) <= allreduce(m)");
  ASSERT_LT(last + 3, lines.size());
  EXPECT_EQ(lines[last + 3],
            "    3 cells tested: 1 hold, 0 undecided, 2 violated; 1 more with too few launches");
}

TEST(ReportText, CountsTheRowsThatItDoesNotShow) {
  const std::string text = report_text(mixed(), kMachine, 1);
  EXPECT_NE(text.find("    and 3 more\n"), std::string::npos);
  EXPECT_EQ(text.find("64 B "), std::string::npos);
}

TEST(ReportText, SaysWhatToSweepWhereAGuidelineCouldNotBeTested) {
  const auto lines = lines_of(report_text(mixed(), kMachine));
  const std::size_t gap = line_with(lines, "p = 8, nodes 1x8, seq, int: not tested");
  ASSERT_LT(gap + 1, lines.size());
  const Evaluation untestable = evaluate(launches(on_four(Collective::bcast, 64), {1}),
                                         {.guidelines = {&reduce_as_allreduce}});
  EXPECT_NE(report_text(untestable, kMachine).find("none of its collectives was measured"),
            std::string::npos);
}

TEST(ReportText, SaysHowManyVerdictsMayBeFalse) {
  // Three launches all above by chance: one in eight; 3 cells.
  const std::string text = report_text(mixed(), kMachine);
  EXPECT_NE(text.find("Over 3 launches"), std::string::npos);
  EXPECT_NE(text.find("of at most 12.5% in a cell"), std::string::npos);
  EXPECT_NE(text.find("3 cells were tested"), std::string::npos);
  EXPECT_NE(text.find("expect at most 1 false"), std::string::npos);
}

TEST(ReportText, NamesTheCandidatesWhenTheBestWereTaken) {
  EXPECT_NE(report_text(mixed("best"), kMachine).find("by native against native"),
            std::string::npos);
  EXPECT_EQ(report_text(mixed(), kMachine).find("by native"), std::string::npos);
}

TEST(ReportText, NoLineIsLongerThan100Columns) {
  for (const std::string& line : lines_of(report_text(mixed("best"), kMachine))) {
    EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(ReportJson, HasEveryFindingWithItsInterval) {
  const auto json = nlohmann::json::parse(report_json(mixed(), kMachine));
  EXPECT_EQ(json["format"], "breakeven-guidelines-1");
  EXPECT_EQ(json["exit_status"], 1);
  EXPECT_EQ(json["machine"]["name"], "mpich");
  const auto& last = json["guidelines"][3];
  EXPECT_EQ(last["number"], 5);
  EXPECT_EQ(last["violated"], 2);
  EXPECT_EQ(last["too_few"], 1);
  EXPECT_EQ(last["tested"], 3);
  ASSERT_EQ(last["findings"].size(), 4U);
  const auto& first = last["findings"][0];
  EXPECT_EQ(first["total_bytes"], 64);
  EXPECT_EQ(first["verdict"], "violated");
  EXPECT_EQ(first["oversubscribed"], true);
  EXPECT_EQ(first["ratio"]["launches"], 3);
  EXPECT_EQ(first["ratio"]["coverage"], 0.75);
  EXPECT_NEAR(first["ratio"]["median"].get<double>(), 2.2, 1e-12);
  EXPECT_NEAR(first["left_s"].get<double>(), 22e-6, 1e-15);
  EXPECT_EQ(first["terms"][1]["collective"], "allreduce");
  EXPECT_EQ(last["gaps"][0]["procs"], 8);
}

}  // namespace
}  // namespace breakeven::guidelines
