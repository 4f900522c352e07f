// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/json.hpp"

#include <nlohmann/json.hpp>

#include "tables/formats/openmpi/testing.hpp"

namespace breakeven::formats {
namespace {

using testing::finds;
using testing::library_rule;
using testing::library_table;
using testing::line_with;
using testing::openmpi_provenance;
using testing::openmpi_table;
using testing::replaced;
using testing::text_of;
using testing::variants_of;

std::string emitted(const tables::Table& table = openmpi_table()) {
  return openmpi::emit_json(table, openmpi_provenance("6.0.0")).text;
}

TEST(OpenmpiJson, IsTheGoldenText) { testing::expect_golden("openmpi_json", emitted()); }

TEST(OpenmpiJson, AnswersAsTheTableForEveryPAndSize) {
  const tables::Table table = openmpi_table();
  const ReadTable read = openmpi::read_json(emitted());
  ASSERT_TRUE(read.answer) << text_of(read);
  testing::expect_table_on_dense_grid(table, 1, 12, testing::variants_of(read));
}

TEST(OpenmpiJson, NoCutOfItGoesUnseen) {
  const tables::Table small =
      library_table({library_rule(Collective::allreduce, 2, 8, "openmpi:ring"),
                     library_rule(Collective::bcast, 2, 8, "openmpi:chain")});
  testing::expect_every_cut_is_found(small, emitted(small), openmpi::read_json);
}

TEST(OpenmpiJson, RulesThatOverlapAreFound) {
  const std::string text = replaced(emitted(), "\"msg_size_min\": 2560", "\"msg_size_min\": 2559");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "2559, \"msg_size_max\": \"inf\""),
                    "overlaps line"));
}

TEST(OpenmpiJson, AForeignFileAnswersWhatItSays) {
  const std::string text = R"({"collectives": {"allreduce": [
    {"comm_size_min": 2, "comm_size_max": 8, "rules": [{"alg": "recursive_doubling"}]}]}})";
  const ReadTable read = openmpi::read_json(text);
  ASSERT_TRUE(read.answer) << text_of(read);
  EXPECT_EQ(variants_of(read)({.procs = 8, .message = {8}}), "openmpi:recursive_doubling");
  EXPECT_EQ(read.answer({.procs = 8, .message = {8}}).line, 2);
  EXPECT_EQ(variants_of(read)({.procs = 9, .message = {8}}), "native");
  EXPECT_EQ(read.answer({.procs = 9, .message = {8}}).line, 0);
  EXPECT_TRUE(finds(openmpi::read_json(replaced(text, "\"alg\"", "\"algo\"")), 0,
                    "not a file of rules: key 'alg' not found"));
}

TEST(OpenmpiJson, AnUnknownAlgorithmIsFound) {
  const std::string text = replaced(emitted(), "\"butterfly\"", "\"moth\"");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "\"moth\""), "'moth'"));
}

TEST(OpenmpiJson, AParameterThatTheAlgorithmLacksIsFound) {
  const std::string text =
      replaced(emitted(), "\"alg\": \"ring\"", "\"alg\": \"ring\", \"seg_size\": 8");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "\"seg_size\": 8}"), "no parameter"));
}

TEST(OpenmpiJsonHazard, OlderVersionsReadNoJson) {
  EXPECT_THROW((void)openmpi::emit_json(openmpi_table(), openmpi_provenance("5.0.7")), UsageError);
  const std::string text = replaced(emitted(), "Open MPI v6.0.0", "Open MPI v5.0.7");
  EXPECT_TRUE(finds(openmpi::read_json(text), 0, "from 6 on"));
}

TEST(OpenmpiJsonHazard, RangesAreInclusive) {
  const auto file = nlohmann::json::parse(emitted());
  const auto rules = file.at("collectives").at("allreduce").at(0);
  EXPECT_EQ(rules.at("comm_size_min"), 3);
  EXPECT_EQ(rules.at("comm_size_max"), 4);
  EXPECT_EQ(rules.at("rules").at(0).at("msg_size_max"), 4999);
  EXPECT_EQ(rules.at("rules").at(1).at("msg_size_min"), 5000);
  EXPECT_EQ(rules.at("rules").at(1).at("msg_size_max"), "inf");
}

TEST(OpenmpiJsonHazard, AnInfiniteCommunicatorSizeDisablesTheRule) {
  EXPECT_EQ(emitted().find("\"comm_size_max\": \"inf\""), std::string::npos);
  const std::string text =
      replaced(emitted(), "\"comm_size_max\": 2", "\"comm_size_max\": \"inf\"");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "\"comm_size_max\": \"inf\""), "-1"));
}

TEST(OpenmpiJsonHazard, AnUnknownCollectiveDropsTheWholeFile) {
  // The names are the reader's, not those of its published schema.
  const auto collectives = nlohmann::json::parse(emitted()).at("collectives");
  for (const char* name : {"allgatherv", "reduce_scatter", "reduce_scatter_block"}) {
    EXPECT_TRUE(collectives.contains(name)) << name;
  }
  const std::string text = replaced(emitted(), "\"reduce_scatter\":", "\"reducescatter\":");
  EXPECT_TRUE(
      finds(openmpi::read_json(text), line_with(text, "\"reducescatter\""), "no collective"));
}

TEST(OpenmpiJsonHazard, TheKeyOfSegmentsIsNotThatOfTheConverter) {
  const std::string text = emitted();
  EXPECT_NE(text.find("\"seg_size\": 8192"), std::string::npos);
  const std::string edited = replaced(text, "\"seg_size\": 8192", "\"segsize\": 8192");
  EXPECT_TRUE(
      finds(openmpi::read_json(edited), line_with(edited, "\"segsize\""), "passes over the key"));
}

TEST(OpenmpiJsonHazard, CommentsAreNoJson) {
  EXPECT_TRUE(nlohmann::json::accept(emitted()));
  const std::string text = replaced(emitted(), "  \"module\"", "# here\n  \"module\"");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "# here"), "no JSON"));
}

TEST(OpenmpiJsonHazard, AChainWithoutFanOutWouldBeAPipeline) {
  EXPECT_NE(emitted().find("\"alg\": \"chain\", \"faninout\": 4}"), std::string::npos);
}

TEST(OpenmpiJsonHazard, GatherAndScatterWithSeveralSizeRulesBreakLegalPrograms) {
  const tables::Table table =
      library_table({library_rule(Collective::gather, 4, 8, "openmpi:binomial"),
                     library_rule(Collective::gather, 4, 99, "native")});
  const Emitted rules = openmpi::emit_json(table, openmpi_provenance("6.0.0"));
  EXPECT_TRUE(nlohmann::json::parse(rules.text).at("collectives").empty());
  EXPECT_EQ(rules.degraded.size(), 1U);
  // One rule that ends is a second one: the library's own decision above it.
  const std::string begin = "\"gather\": [\n      {\"comm_size_min\": 2";
  const std::string text =
      emitted(library_table({library_rule(Collective::gather, 2, 8, "openmpi:binomial")}));
  const std::string edited = replaced(text, "\"msg_size_max\": \"inf\"", "\"msg_size_max\": 99");
  EXPECT_TRUE(finds(openmpi::read_json(edited), line_with(edited, begin) + 1, "gather has 2"));
}

TEST(OpenmpiJsonHazard, TwoProcOnOtherThanTwoProcessesEndsTheProgram) {
  const std::string text = replaced(emitted(), "\"comm_size_max\": 2", "\"comm_size_max\": 3");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "\"two_proc\""), "ends a program"));
}

TEST(OpenmpiJsonHazard, OperationsThatDoNotCommuteGetWrongResults) {
  const Emitted rules = openmpi::emit_json(openmpi_table(), openmpi_provenance("6.0.0"));
  ASSERT_FALSE(rules.degraded.empty());
  EXPECT_NE(rules.text.find(rules.degraded[0]), std::string::npos);
  tables::Provenance provenance = openmpi_provenance("6.0.0");
  provenance.allowed_unsafe.clear();
  const ReadTable read = openmpi::read_json(openmpi::emit_json(openmpi_table(), provenance).text);
  ASSERT_TRUE(read.answer) << testing::text_of(read);
  EXPECT_EQ(variants_of(read)({.procs = 8, .message = {1 << 16}}), kNative);
}

}  // namespace
}  // namespace breakeven::formats
