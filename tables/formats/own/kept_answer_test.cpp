// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/ranges.h>

#include "tables/formats/common/testing.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tables/formats/own/csv.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven::formats {
namespace {

using tables::testing::allreduce;
using tables::testing::small_table;
using tables::testing::some_provenance;
using testing::line_with;

/// The notes on one line.
std::string kept_notes(const Answer& answer) {
  return fmt::format("{}", fmt::join(answer.notes, "; "));
}

Answer answer_for(const Case& problem) {
  return read_csv(csv(small_table(), some_provenance()).text).answer(problem);
}

TEST(KeptAnswer, NamesTheLineOfTheRuleInEachForm) {
  tables::Table table = small_table();
  table.candidates = tables::Candidates::ours;
  const Case problem = allreduce("", 8, 200000);
  const auto expect_line = [&](const std::string& text, ReadTable (*read)(std::string_view)) {
    const Answer answer = read(text).answer(problem);
    EXPECT_EQ(to_text(answer.variant), "halving_doubling");
    EXPECT_EQ(answer.line, line_with(text, "100000"));
    EXPECT_EQ(answer.rule, "p = 8, bytes 100000 and more (this call: 200000)");
  };
  expect_line(cpp_header(table, some_provenance()).text, read_cpp_header);
  expect_line(json(table, some_provenance()).text, read_json);
  expect_line(csv(table, some_provenance()).text, read_csv);
}

TEST(KeptAnswer, SaysWhatTheRuleRestsOn) {
  EXPECT_EQ(answer_for(allreduce("", 2, 3072)).rule,
            "p = 2, bytes 1020 and more (this call: 3072)");
  EXPECT_EQ(answer_for(allreduce("", 2, 4)).rule, "p = 2, bytes 0 to 1019 (this call: 4)");
  EXPECT_EQ(kept_notes(answer_for(allreduce("", 2, 3072))),
            "measured at p = 2, 1024 to 1048576 B, 3 launches; decided: probably within 3 % of "
            "the fastest");
  EXPECT_EQ(kept_notes(answer_for(allreduce("", 2, 4))),
            "measured at p = 2, 8 B, 3 launches; undecided: another may be more than 3 % "
            "faster");
  EXPECT_EQ(kept_notes(answer_for(allreduce("", 8, 100000))),
            "measured at p = 8, 131072 to 1048576 B, 2 launches; too_few: not enough launches to "
            "compare");
}

TEST(KeptAnswer, SaysWhoseRuleAnUnmeasuredPTakesOrWhyItDoesNot) {
  const Answer taken = answer_for(allreduce("", 9, 100000));
  EXPECT_EQ(to_text(taken.variant), "halving_doubling");
  EXPECT_EQ(taken.notes.front(),
            "p = 9 as 1x9 was not measured; of the layouts that were, p = 8 as 1x8 is nearest");
  EXPECT_EQ(to_text(answer_for(allreduce("", 3, 3072)).variant), "ring:segments=8");
  const Answer unfit = answer_for(allreduce("", 9, 8));
  EXPECT_EQ(to_text(unfit.variant), kNative);
  EXPECT_EQ(unfit.notes.at(1), "not allreduce/recursive_doubling, which needs p a power of two");
  Case dealt = allreduce("", 10, 8);
  dealt.nodes = 2;
  dealt.procs_per_node = 5;
  dealt.mapping = Mapping::rr;
  EXPECT_EQ(answer_for(dealt).notes.at(1),
            "not allreduce/ring:segments=4: its parameters are for p = 8");
}

TEST(KeptAnswer, ALibrarysAlgorithmIsForTheProcessesBetweenThoseMeasured) {
  const tables::Table table =
      testing::library_table({testing::library_rule(Collective::allreduce, 3, 8, "openmpi:ring"),
                              testing::library_rule(Collective::allreduce, 5, 8, "openmpi:ring")});
  const ReadTable read = read_json(json(table, some_provenance()).text);
  EXPECT_EQ(read.answer(allreduce("", 4, 8)).notes.at(1),
            "not openmpi:allreduce/ring, which needs at least p elements");
  EXPECT_EQ(read.answer(allreduce("", 6, 800)).notes.at(1),
            "not openmpi:allreduce/ring: p lies outside of those measured");
}

TEST(KeptAnswer, AMappingWithoutARuleHasNoLine) {
  tables::Table table = small_table();
  table.rules[0].what.nodes = table.rules[0].what.procs_per_node = 2;
  Case dealt = table.rules[0].what;
  const auto answer = [&] {
    return read_csv(csv(table, some_provenance()).text).answer(without_algorithm(dealt));
  };
  EXPECT_EQ(to_text(answer().variant), "recursive_doubling");
  dealt.mapping = Mapping::rr;
  EXPECT_EQ(answer().line, 0);
  EXPECT_EQ(answer().rule, "no rule for allgather, mapping rr");
}

TEST(Csv, ComesBackWithItsRules) {
  tables::Table table = small_table();
  table.rules[4].what.variant =
      table.rules[4].what.variant.with_params("stages=a4,a6");  // in quotation marks
  const ReadKept read = read_kept_csv(csv(table, some_provenance()).text);
  ASSERT_TRUE(read.faults.empty());
  EXPECT_EQ(csv(read.kept.table, read.kept.provenance).text, csv(table, some_provenance()).text);
}

TEST(Csv, ARowOfAnotherLengthIsFoundInItsLine) {
  const std::string text = testing::replaced(csv(small_table(), some_provenance()).text,
                                             "segments=8,int,sum", "segments=8,int");
  EXPECT_TRUE(testing::finds(read_csv(text), line_with(text, "segments=8,int"), "28 cells"));
}

}  // namespace
}  // namespace breakeven::formats
