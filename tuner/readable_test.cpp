// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/readable.hpp"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "tables/testing.hpp"

namespace breakeven::tuner {
namespace {

/// The first line with `word` in it.
std::string line_with(const std::string& text, const std::string& word) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(word) != std::string::npos) return line;
  }
  return "no line with " + word;
}

std::string shown(const tables::Table& table, std::string_view notes = "") {
  return readable({.all = &table}, tables::testing::some_provenance(), notes);
}

const std::string kText = shown(tables::testing::small_table());

TEST(Readable, ARowShowsTheChoiceAndItsCertainty) {
  EXPECT_EQ(line_with(kText, "1 KiB to 1 MiB"),
            "     ~1000 B  1 KiB to 1 MiB     1.73 (1.48-1.98)  1.50 to 2.00     > 99 %  "
            "ring:segments=8");
  EXPECT_EQ(line_with(kText, "halving_doubling"),
            "    ~100 KiB  128 KiB to 1 MiB   1.73 (1.48-1.98)  1.50 to 2.00    too few  "
            "halving_doubling");
}

TEST(Readable, AnUndecidedRowSaysBetweenWhom) {
  EXPECT_EQ(line_with(kText, "native"),
            "        ~8 B  8 B                -                                    61 %  native");
  EXPECT_EQ(line_with(kText, "or ring"), std::string(71, ' ') + "or ring, stage_list:stages=a2");
  tables::Table table = tables::testing::small_table();
  table.rules[1].rivals = {Ours{"halving_doubling"}, Ours{"recursive_doubling"},
                           Ours{"pairwise_ring"}, Ours{"ring"}, Ours{"a"}};
  EXPECT_EQ(
      line_with(shown(table), "pairwise_ring"),
      std::string(35, ' ') + "or halving_doubling, recursive_doubling, pairwise_ring and 2 more");
}

TEST(Readable, ASpeedupThatNobodyMeasuredIsNotOne) {
  EXPECT_NE(line_with(kText, "1 KiB to 2 KiB").find("not measured"), std::string::npos);
}

TEST(Readable, SpeedupsHaveThreeDigits) {
  tables::Table table = tables::testing::small_table();
  table.rules[2].gains = {{{1024}, {16.0969, 9.999, 489.605}}};
  EXPECT_NE(line_with(shown(table), "1 KiB to 1 MiB").find("  16.1 (10.0-490)   16.1 "),
            std::string::npos);
}

TEST(Readable, ARuleWhoseGainIsNotShownSaysSo) {
  tables::Table table = tables::testing::small_table();
  EXPECT_EQ(kText.find("(no gain"), std::string::npos);
  table.rules[2].gains = {{{1024}, {1.02, 0.94, 1.1}}};
  const std::string row = line_with(shown(table), "1 KiB to 1 MiB");
  const std::string below(row.find("ring:segments=8"), ' ');
  EXPECT_NE(shown(table).find(row + '\n' + below + "(no gain shown)\n"), std::string::npos);
}

TEST(Readable, HasAPartForTheLibraryAndOneForBreakevensAlgorithms) {
  tables::Table library = tables::testing::small_table();
  library.candidates = tables::Candidates::library;
  library.rules.resize(3);
  library.rules[2].what.variant = LibraryOwn{"mpich", "recursive_doubling"};
  tables::Table header = tables::testing::small_table();
  header.rules[2].what.variant = Ours{"halving_doubling"};
  const tables::Table all = tables::testing::small_table();
  const std::string text = readable(
      {.library = &library, .library_files = {"mpich_coll.json"}, .all = &all, .header = &header},
      tables::testing::some_provenance(), "");
  const std::size_t inside = text.find(
      "\nINSIDE THE LIBRARY: its own algorithms, by mpich_coll.json\n"
      "  cells that leave the library's default: 4 of 6,\n"
      "    1.73 (1.48-1.98) times as fast in the geometric mean, from 1.50 to 2.00; decided: 4 of "
      "6\n");
  const std::size_t with = text.find("\nWITH BREAKEVEN'S ALGORITHMS");
  ASSERT_NE(inside, std::string::npos) << text;
  ASSERT_LT(inside, with);
  EXPECT_LT(text.find("mpich:recursive_doubling"), with);
  EXPECT_NE(
      text.find("  cells, with more processes than cores, that leave the library's default: 2 of 2",
                with),
      std::string::npos);
  EXPECT_NE(text.find("breakeven_table.hpp chooses otherwise:\n"
                      "    allreduce p = 2, mapping seq, at 1 KiB: halving_doubling\n\n"),
            std::string::npos)
      << text;
  EXPECT_NE(kText.find("INSIDE THE LIBRARY: no table"), std::string::npos);
}

TEST(Readable, CountsAsInsideTheLibraryWhatItsFilesSay) {
  tables::Table library = tables::testing::small_table();
  library.candidates = tables::Candidates::library;
  library.rules.resize(3);
  library.rules[2].what.variant = LibraryOwn{"openmpi", "ring"};
  const formats::ReadTable silent{.answer = [](const Case&) { return formats::Answer{}; }};
  const std::string text = readable(
      {.library = &library, .library_files = {"openmpi_rules.conf"}, .library_answers = {silent}},
      tables::testing::some_provenance(), "");
  EXPECT_NE(text.find("  cells that leave the library's default: 0 of 6; decided: 0 of 6\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("can't say, for the reasons in their heads:\n"), std::string::npos);
  EXPECT_NE(text.find("    allreduce p = 2, mapping seq, at 1 KiB: openmpi:ring\n"),
            std::string::npos);
}

TEST(Readable, NotesAreFoundAgain) {
  EXPECT_EQ(notes_in(shown(tables::testing::small_table(), "some\nnotes\n")), "some\nnotes\n");
  EXPECT_EQ(notes_in("another text"), "");
}

TEST(Readable, TheMessageOfIrregularCollectivesIsTheMeanBlock) {
  tables::Table table = tables::testing::small_table();
  EXPECT_NE(kText.find("allgather (message: the block of one process)"), std::string::npos);
  table.rules[0].what.collective = Collective::allgatherv;
  EXPECT_NE(shown(table).find("allgatherv (message: the mean block of a process)"),
            std::string::npos);
}

TEST(Readable, NamesItsRowsOfTooFewLaunches) {
  EXPECT_NE(kText.find("\ntoo few launches: allreduce p=8 from ~100 KiB: 2 launches\n"),
            std::string::npos);
  tables::Table table = tables::testing::small_table();
  for (int i = 0; i < 20; ++i) {
    table.rules.push_back(table.rules.back());
    table.rules.back().certainty = tables::Certainty::too_few;
    table.rules.back().launches = 1;
  }
  const std::string many = shown(table);
  EXPECT_NE(many.find("\ntoo few launches: allreduce p=8 mapping rr from ~8 B: 1 launch\n"),
            std::string::npos);
  EXPECT_NE(many.find("\ntoo few launches: 9 more rows\n"), std::string::npos);
}

TEST(Readable, SaysHowItDoesBetweenMeasuredProcessCounts) {
  const tuner::CrossValidation checked{.collective = Collective::allreduce,
                                       .layouts = {{2, 1, 2}, {4, 1, 4}},
                                       .cells = 20,
                                       .unknown = 3,
                                       .mean_regret = 0.012,
                                       .worst_regret = 0.34,
                                       .worst = tables::testing::allreduce("", 4, 65536),
                                       .native_better = 5};
  tuner::CrossValidation many = checked;
  many.layouts.clear();
  for (int procs = 2; procs <= 8; ++procs) many.layouts.push_back({procs, 1, procs});
  EXPECT_NE(between_measured(std::array{many}).find("    allreduce: 7 p from 2 to 8 held out: "),
            std::string::npos);
  many.layouts = {{4, 2, 2}, {4, 4, 1}};
  many.mean_regret_by_procs = 0.5;
  const std::string on_nodes = between_measured(std::array{many});
  EXPECT_NE(on_nodes.find("    allreduce: 2x2,4x1 held out: regret 1.2% on average, "),
            std::string::npos);
  EXPECT_NE(on_nodes.find("; of a table by p alone 50.0% on average"), std::string::npos);
  const tuner::CrossValidation unchecked{.candidates = tables::Candidates::library,
                                         .collective = Collective::bcast,
                                         .mapping = Mapping::rr};
  const std::array both{checked, unchecked};
  const std::string text = between_measured(both);
  EXPECT_NE(
      text.find(
          "    allreduce: p = 2,4 held out: regret 1.2% on average, 34.0% at worst\n"
          "      (p = 4, 64 KiB); native significantly faster in 5 of 20 cells; its choice not "
          "measured in 3 more\n"),
      std::string::npos);
  EXPECT_EQ(text.find("    bcast"), std::string::npos);
  EXPECT_EQ(between_measured({}), "");
  EXPECT_EQ(between_measured(std::array{unchecked}), "");
}

TEST(Readable, OversubscribedProcessCountsAreMarkedAndOthersAreNot) {
  EXPECT_EQ(line_with(kText, "mapping rr"),
            "  p = 8: 2 nodes of 4, mapping rr; OVERSUBSCRIBED: more processes than cores");
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
}  // namespace breakeven::tuner
