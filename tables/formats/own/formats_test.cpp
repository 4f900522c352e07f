// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "tables/formats/common/head.hpp"
#include "tables/formats/common/testing.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tables/formats/own/csv.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven::formats {
namespace {

using tables::testing::small_table;
using tables::testing::some_provenance;
using testing::finds;
using testing::line_with;
using testing::replaced;
using testing::text_of;
using testing::variants_of;

tables::Provenance provenance() {
  tables::Provenance all = some_provenance();
  all.capabilities = {
      .algorithms = {{Collective::allreduce, "ring", 4}, {Collective::bcast, "smp", 3}},
      .default_trees = {{"mpir", "{\"collective=bcast\":{}}"}}};
  return all;
}

/// Every field, as numbers of type double come back in all their digits.
std::string all_of(const tables::Table& table) {
  std::string text =
      fmt::format("{} {} {} {}\n", tables::kCandidates.of(table.candidates),
                  kDatatypes.of(table.datatype), kOps.of(table.op), table.root.value);
  for (const tables::Rule& rule : table.rules) {
    text += fmt::format("{} {} {}x{} {} | {} {} {} | {} {} {} {} {} {} {}", to_text(rule.what),
                        to_text(rule.what.mapping), rule.what.nodes, rule.what.procs_per_node,
                        rule.what.variant.params(), rule.previous.value, rule.first_measured.value,
                        rule.last_measured.value, rule.requirement.text,
                        tables::kCertainties.of(rule.certainty), rule.launches, rule.near_best,
                        rule.oversubscribed, rule.sizes, rule.decided_sizes);
    if (rule.speedup) {
      text += fmt::format(" {} {} {}", rule.speedup->ratio, rule.speedup->low, rule.speedup->high);
    }
    for (const Variant& rival : rule.rivals) text += ' ' + to_text(rival);
    text += '\n';
  }
  return text;
}

tables::Table odd_table() {
  tables::Table table = small_table();
  table.candidates = tables::Candidates::ours;
  table.rules[2].speedup = tables::Speedup{1.0 / 3, 1e-7, 1.1};
  table.rules[4].what.variant = table.rules[4].what.variant.with_params("stages=a4,a6");
  table.rules[5].what.mapping = Mapping::irregular({0, 0, 0, 1, 0, 1, 1, 1});
  tables::Rule moved = table.rules[5];
  moved.what.collective = Collective::bcast;
  moved.what.op = Op::none;
  moved.what.variant = LibraryOwn{"openmpi", "chain", "fanout=2"};
  moved.what.root = Rank{3};
  table.root = Rank{3};
  table.rules.push_back(moved);
  return table;
}

struct Format {
  const char* name;
  Emitted (*emit)(const tables::Table&, const tables::Provenance&);
  ReadTable (*read)(std::string_view);
};
class OwnFormat : public ::testing::TestWithParam<Format> {};

TEST_P(OwnFormat, AnswersAsTheTable) {
  const tables::Table table = small_table();
  const ReadTable read = GetParam().read(GetParam().emit(table, provenance()).text);
  ASSERT_TRUE(read.faults.empty()) << text_of(read);
  for (const Mapping& mapping : {Mapping::seq, Mapping::rr}) {
    const auto mapped = [&](Case problem) {
      problem.mapping = mapping;
      return problem;
    };
    testing::expect_same_on_dense_grid(
        table, 1, 20, [&](const Case& problem) { return variants_of(read)(mapped(problem)); },
        [&](const Case& problem) { return tables::chosen_variant(table, mapped(problem)); });
  }
}

TEST_P(OwnFormat, NoCutOfItGoesUnseen) {
  const tables::Table table = small_table();
  testing::expect_every_cut_is_found(table, GetParam().emit(table, some_provenance()).text,
                                     GetParam().read);
}

TEST_P(OwnFormat, CarriesWhereItComesFrom) {
  const std::string text = GetParam().emit(small_table(), provenance()).text;
  for (const char* words : {"results.db", "MPICH Version: 4.0.2", "2025-01-31", "breakeven tune"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
}

TEST_P(OwnFormat, AnUnknownAlgorithmIsFoundInItsLine) {
  tables::Table table = small_table();
  table.rules[4].what.variant = Ours{"halving"};
  const std::string text = GetParam().emit(table, provenance()).text;
  const ReadTable read = GetParam().read(text);
  ASSERT_EQ(read.faults.size(), 1U) << text_of(read);
  EXPECT_NE(read.faults[0].reason.find("halving"), std::string::npos) << text_of(read);
  EXPECT_EQ(read.faults[0].line, line_with(text, "100000"));
}

TEST_P(OwnFormat, RulesOutOfOrderAreFound) {
  tables::Table table = small_table();
  std::swap(table.rules[3], table.rules[4]);
  const ReadTable read = GetParam().read(GetParam().emit(table, provenance()).text);
  ASSERT_EQ(read.faults.size(), 1U) << text_of(read);
  EXPECT_NE(read.faults[0].reason.find("ascend"), std::string::npos);
  EXPECT_GT(read.faults[0].line, 1);
}

TEST_P(OwnFormat, AForeignFileIsCalledSo) {
  for (const char* text : {"", "{}", "a,b\n1,2\n", "#pragma once\n"}) {
    EXPECT_FALSE(GetParam().read(text).faults.empty()) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, OwnFormat,
                         ::testing::Values(Format{"cpp_header", cpp_header, read_cpp_header},
                                           Format{"json", json, read_json},
                                           Format{"csv", csv, read_csv}),
                         [](const auto& format) { return std::string{format.param.name}; });

TEST(Json, IsTheGoldenText) {
  testing::expect_golden("table_json", json(small_table(), provenance()).text);
}

TEST(Csv, IsTheGoldenText) {
  testing::expect_golden("table_csv", csv(small_table(), provenance()).text);
}

TEST(KeptTable, ComesBackWithAllFields) {
  const tables::Table of_library =
      testing::library_table({testing::library_rule(Collective::allreduce, 3, 8, "openmpi:ring"),
                              testing::library_rule(Collective::bcast, 4, 8, "openmpi:binomial"),
                              testing::library_rule(Collective::bcast, 4, 2048,
                                                    "openmpi:chain:fanout=2,segment_bytes=1024"),
                              testing::library_rule(Collective::bcast, 4, 1 << 20, "native")});
  for (const tables::Table& table : {small_table(), odd_table(), of_library}) {
    const ReadKept read = read_kept_table(to_json({table, provenance()}));
    ASSERT_TRUE(read.faults.empty()) << text_of({.faults = read.faults});
    EXPECT_EQ(all_of(read.kept.table), all_of(table));
    const tables::Provenance back = read.kept.provenance;
    EXPECT_EQ(back.database, provenance().database);
    EXPECT_EQ(back.machine, provenance().machine);
    EXPECT_EQ(back.capabilities, provenance().capabilities);
    EXPECT_EQ(back.date, provenance().date);
    EXPECT_EQ(back.version, provenance().version);
    EXPECT_EQ(back.command, provenance().command);
  }
}

TEST(KeptTable, NumbersThatNoMeasurementHasAreFound) {
  const std::string text = to_json({small_table(), provenance()});
  const auto faults = [&](std::string_view from, std::string_view to) -> ReadTable {
    return {.faults = read_kept_table(replaced(text, from, to)).faults};
  };
  const int first = line_with(text, "    {\"collective\"");
  EXPECT_TRUE(finds(faults("\"near_best_probability\": 0.995", "\"near_best_probability\": -1"),
                    first, "no probability"));
  EXPECT_TRUE(finds(faults("\"speedup_low\": 1.25", "\"speedup_low\": 2"), first + 1, "interval"));
  EXPECT_TRUE(finds(faults("\"nodes\": 1", "\"nodes\": 101"), first, "on 101 nodes"));
  EXPECT_TRUE(finds(faults("\"procs_per_node\": 4", "\"procs_per_node\": 0"), first, "0 on each"));
  EXPECT_TRUE(finds(faults("\"sizes\": 2", "\"sizes\": 0"), first, "no measurement"));
}

TEST(KeptTable, FaultsAreInPlainWords) {
  const std::string text = to_json({small_table(), provenance()});
  for (const auto& [from, to] : {std::pair{"\"candidates\"", "\"candidate\""},
                                 {"\"procs\": 4", "\"procs\": \"four\""},
                                 {"\"database\":\"results.db\"", "\"database\":7"},
                                 {"\"rules\": [", "\"rules\": [["}}) {
    const auto faults = read_kept_table(replaced(text, from, to)).faults;
    ASSERT_FALSE(faults.empty()) << to;
    EXPECT_EQ(faults[0].reason.find("json.exception"), std::string::npos) << faults[0].reason;
  }
}

TEST(KeptTable, OfALaterFormIsRefused) {
  const std::string text = replaced(json(small_table(), provenance()).text,
                                    "\"breakeven_table\": 4", "\"breakeven_table\": 5");
  EXPECT_TRUE(finds(read_json(text), 0, "form 5"));
}

TEST(KeptTable, SeveralOperationsAreNoTable) {
  const std::string text =
      replaced(json(small_table(), provenance()).text, "\"op\": \"sum\"", "\"op\": \"max\"");
  EXPECT_TRUE(finds(read_json(text), 0, "one datatype, op and root"));
}

TEST(KeptTable, KnowsThatItIsReproducible) {
  tables::Provenance made = some_provenance();
  made.reproducible = "allreduce ring: slowdown 1.5; reduce native";
  tables::Table table = small_table();
  table.candidates = tables::Candidates::ours;
  for (const ReadKept& read :
       {read_kept_table(json(table, made).text), read_kept_header(cpp_header(table, made).text),
        read_kept_csv(csv(table, made).text)}) {
    EXPECT_TRUE(read.faults.empty()) << text_of({.faults = read.faults});
    EXPECT_EQ(read.kept.provenance.reproducible, made.reproducible);
  }
}

TEST(KeptTable, KnowsWhatTryingItChanged) {
  tables::Provenance tried = provenance();
  tried.verified = {"2025-02-01: not ring", "2025-02-02: nor bruck"};
  EXPECT_EQ(read_kept_table(to_json({small_table(), tried})).kept.provenance.verified,
            tried.verified);
}

tables::Table table_for_programs() {
  tables::Table table = small_table();
  table.candidates = tables::Candidates::ours;
  tables::Rule dealt = table.rules[5];  // on two nodes, from a root
  dealt.what.collective = Collective::reduce;
  dealt.what.variant = Ours{"binomial", "segments=4"};
  dealt.what.nodes = 2;
  dealt.what.procs_per_node = 4;
  dealt.what.root = table.root = Rank{3};
  table.rules.push_back(dealt);
  return table;
}

TEST(CppHeader, ComesBackWithWhatATrialOfItNeeds) {
  tables::Provenance tried = some_provenance();
  tried.verified = {"2025-02-01: not ring", "2025-02-02: nor bruck"};
  const tables::Table table = table_for_programs();
  const ReadKept read = read_kept_header(cpp_header(table, tried).text);
  ASSERT_TRUE(read.faults.empty()) << text_of({.faults = read.faults});
  EXPECT_EQ(read.kept.table.datatype, Datatype::int_);
  EXPECT_EQ(read.kept.table.op, Op::sum);
  EXPECT_EQ(read.kept.table.root, Rank{3});
  ASSERT_EQ(read.kept.table.rules.size(), table.rules.size());
  for (std::size_t i = 0; i < table.rules.size(); ++i) {
    const tables::Rule& back = read.kept.table.rules[i];
    EXPECT_EQ(back.first_measured, table.rules[i].first_measured);
    EXPECT_EQ(back.last_measured, table.rules[i].last_measured);
    EXPECT_EQ(back.launches, table.rules[i].launches);
    Case what = table.rules[i].what;
    if (!rooted(what.collective)) what.root = {};
    EXPECT_EQ(back.what, what);
  }
  EXPECT_EQ(read.kept.provenance.machine, tried.machine);
  EXPECT_EQ(read.kept.provenance.verified, tried.verified);
}

TEST(CppHeader, WithoutALineOfItsHeadCanNotBeTried) {
  const std::string text = cpp_header(table_for_programs(), some_provenance()).text;
  for (const char* key : {"machine", "data", "made"}) {
    const std::string cut = replaced(text, fmt::format("//   {:<10} ", key), "// ");
    EXPECT_TRUE(finds({.faults = read_kept_header(cut).faults}, 0, key));
  }
  const std::string odd = replaced(text, "int, sum, root 3", "int, sum, root three");
  EXPECT_TRUE(finds({.faults = read_kept_header(odd).faults}, 0, "three"));
  const std::string added = replaced(text, "// A table of Breakeven.", "// Our table.");
  EXPECT_TRUE(finds({.faults = read_kept_header(added).faults}, 2, "A table of Breakeven"));
}

TEST(Head, AKeyStandsBehindACommentsMarkAlone) {
  EXPECT_EQ(head_value("//   made       today\n", "made"), "today");
  EXPECT_EQ(head_value("# made       today\n", "made"), "today");
  EXPECT_EQ(head_value(" *  made       today\n", "made"), "today");
  EXPECT_FALSE(head_value("# it was made       today\n", "made"));
}

TEST(CppHeader, AChangedLookUpIsFoundInItsLine) {
  const std::string text = replaced(cpp_header(small_table(), provenance()).text,
                                    "one > other ? one / other", "one < other ? one / other");
  EXPECT_TRUE(finds(read_cpp_header(text), line_with(text, "one < other"), "where Breakeven"));
}

TEST(CppHeader, AWrongNumberOfRulesIsFound) {
  const std::string text = replaced(cpp_header(small_table(), provenance()).text,
                                    "std::array<Rule, 6>", "std::array<Rule, 7>");
  EXPECT_TRUE(finds(read_cpp_header(text), line_with(text, "std::array<Rule, 7>"), "Rule, 6"));
}

}  // namespace
}  // namespace breakeven::formats
