// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/own/readable.hpp"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "tuner/testing.hpp"

namespace breakeven::formats {
namespace {

/// The first line with `word` in it.
std::string line_with(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(word) != std::string::npos) return line;
  }
  return "no line with " + word;
}

const std::string kText =
    readable(tuner::testing::small_table(), tuner::testing::some_provenance());

TEST(Readable, ARowShowsTheChoiceAndItsCertainty) {
  EXPECT_EQ(line_with(kText, "1020 B"),
            "      1020 B  1 KiB to 1 MiB       1.50 (1.25-1.75)     > 99 %  ring");
  EXPECT_EQ(line_with(kText, "halving_doubling"),
            "    100000 B  128 KiB to 1 MiB     1.50 (1.25-1.75)    too few  halving_doubling");
}

TEST(Readable, AnUndecidedRowSaysBetweenWhom) {
  EXPECT_EQ(line_with(kText, "or ring"),
            "         8 B  8 B                  -                      61 %  native or ring, "
            "stage_list:stages=a2");
  tuner::Table table = tuner::testing::small_table();
  table.rules[1].rivals = {"halving_doubling", "recursive_doubling", "pairwise_ring", "ring", "a"};
  EXPECT_EQ(
      line_with(readable(table, tuner::testing::some_provenance()), "pairwise_ring"),
      std::string(35, ' ') + "or halving_doubling, recursive_doubling, pairwise_ring and 2 more");
}

TEST(Readable, ASpeedupThatNobodyMeasuredIsNotOne) {
  EXPECT_NE(line_with(kText, "1 KiB to 2 KiB").find("not measured"), std::string::npos);
}

TEST(Readable, SpeedupsHaveThreeDigits) {
  tuner::Table table = tuner::testing::small_table();
  table.rules[2].speedup = tuner::Speedup{16.0969, 9.999, 489.605};
  EXPECT_NE(line_with(readable(table, tuner::testing::some_provenance()), "1020 B")
                .find("  16.1 (10.0-490) "),
            std::string::npos);
}

TEST(Readable, TheMessageOfIrregularCollectivesIsTheMeanBlock) {
  tuner::Table table = tuner::testing::small_table();
  EXPECT_NE(kText.find("allgather (message: the block of one process)"), std::string::npos);
  table.rules[0].what.collective = Collective::allgatherv;
  EXPECT_NE(readable(table, tuner::testing::some_provenance())
                .find("allgatherv (message: the mean block of a process)"),
            std::string::npos);
}

TEST(Readable, EndsWithItsRowsOfTooFewLaunches) {
  EXPECT_TRUE(kText.ends_with("\ntoo few launches: allreduce p=8 from 100000 B: 2 launches\n"));
  tuner::Table table = tuner::testing::small_table();
  table.rules[4].certainty = tuner::Certainty::undecided;
  EXPECT_TRUE(readable(table, tuner::testing::some_provenance())
                  .ends_with("\ntoo few launches: no row; every one rests on 3 or more\n"));
  for (int i = 0; i < 20; ++i) {
    table.rules.push_back(table.rules.back());
    table.rules.back().certainty = tuner::Certainty::too_few;
    table.rules.back().launches = 1;
  }
  const std::string many = readable(table, tuner::testing::some_provenance());
  EXPECT_NE(many.find("\ntoo few launches: allreduce p=8 mapping rr from 8 B: 1 launch\n"),
            std::string::npos);
  EXPECT_TRUE(many.ends_with("\ntoo few launches: 8 more rows\n"));
}

TEST(Readable, SaysHowManyCellsAreDecided) {
  EXPECT_NE(kText.find("\n10 of 12 cells (a size at a p) are decided.\n"), std::string::npos);
}

TEST(Readable, SaysHowItDoesBetweenMeasuredProcessCounts) {
  const tuner::CrossValidation checked{.collective = Collective::allreduce,
                                       .procs = {2, 4},
                                       .cells = 20,
                                       .unknown = 3,
                                       .mean_regret = 0.012,
                                       .worst_regret = 0.34,
                                       .worst = tuner::testing::allreduce("", 4, 65536),
                                       .native_better = 5};
  tuner::CrossValidation many = checked;
  many.procs = {2, 3, 4, 5, 6, 7, 8};
  EXPECT_NE(
      readable(tuner::testing::small_table(), tuner::testing::some_provenance(), std::array{many})
          .find("    allreduce: 7 p from 2 to 8 held out: "),
      std::string::npos);
  const tuner::CrossValidation unchecked{.candidates = tuner::Candidates::library,
                                         .collective = Collective::bcast,
                                         .mapping = Mapping::rr};
  const std::array both{checked, unchecked};
  const std::string text =
      readable(tuner::testing::small_table(), tuner::testing::some_provenance(), both);
  EXPECT_NE(
      text.find(
          "    allreduce: p = 2,4 held out: regret 1.2% on average, 34.0% at worst\n"
          "      (p = 4, 64 KiB); native significantly faster in 5 of 20 cells; its choice not "
          "measured in 3 more\n"),
      std::string::npos);
  EXPECT_EQ(text.find("    bcast"), std::string::npos);
  EXPECT_EQ(kText.find("Between"), std::string::npos);
  EXPECT_EQ(readable(tuner::testing::small_table(), tuner::testing::some_provenance(),
                     std::array{unchecked})
                .find("Between"),
            std::string::npos);
}

TEST(Readable, OversubscribedProcessCountsAreMarkedAndOthersAreNot) {
  EXPECT_EQ(line_with(kText, "mapping rr"),
            "  p = 8: 1 node of 8, mapping rr; OVERSUBSCRIBED: more processes than cores");
  EXPECT_EQ(line_with(kText, "p = 8"), "  p = 8: 1 node of 8, mapping seq");
}

TEST(Readable, TheHeadSaysWhereTheTableComesFrom) {
  EXPECT_EQ(line_with(kText, "launches"), "  launches   2 to 3");
  EXPECT_EQ(line_with(kText, "again"),
            "  again      breakeven tune --db results.db --machine mpich");
  EXPECT_EQ(line_with(kText, "data "), "  data       int, sum");
}

TEST(Readable, NoLineIsLongerThan100Columns) {
  std::istringstream lines(kText);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

}  // namespace
}  // namespace breakeven::formats
