// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tables/formats/openmpi/testing.hpp"

namespace breakeven::formats {
namespace {

using testing::advises;
using testing::finds;
using testing::library_rule;
using testing::library_table;
using testing::line_with;
using testing::openmpi_provenance;
using testing::openmpi_table;
using testing::replaced;
using testing::text_of;
using testing::variants_of;

std::string emitted_json(const tables::Table& table = openmpi_table(6)) {
  return openmpi::emit_json(table, openmpi_provenance("6.0.0")).text;
}

TEST(OpenmpiJson, IsTheGoldenText) { testing::expect_golden("openmpi_json", emitted_json()); }

TEST(OpenmpiJson, AnswersAsTheTableForEveryPAndSize) {
  const tables::Table table = openmpi_table(6);
  const ReadTable read = openmpi::read_json(emitted_json());
  ASSERT_TRUE(read.answer) << text_of(read);
  testing::expect_table_on_dense_grid(table, 1, 12, testing::variants_of(read));
}

TEST(OpenmpiJson, NoCutOfItGoesUnseen) {
  const tables::Table small =
      library_table({library_rule(Collective::allreduce, 2, 8, "openmpi:ring"),
                     library_rule(Collective::bcast, 2, 8, "openmpi:chain")});
  testing::expect_every_cut_is_found(small, emitted_json(small), openmpi::read_json);
}

/// A file of another author, of which only the rules differ.
ReadTable read_foreign(std::string_view collectives) {
  return openmpi::read_json(
      fmt::format("{{\"rule_file_version\": 4, \"collectives\": {{\n{}\n}}}}", collectives));
}

TEST(OpenmpiJson, OfRulesThatOverlapTheFirstHolds) {
  const ReadTable read = read_foreign(R"("bcast": [
    {"comm_size_min": 4, "comm_size_max": 6, "rules": [{"msg_size_max": 99, "alg": "binomial"}]},
    {"rules": [
      {"msg_size_min": 500, "alg": "pipeline"},
      {"alg": "basic_linear"}]}])");
  EXPECT_TRUE(advises(read, 4, "the rules of line 3 come first at p = 4 to 6"));
  EXPECT_TRUE(advises(read, 6, "the rule of line 5 comes first at bytes 500 and more"));
  Case problem{.collective = Collective::bcast, .procs = 5, .message = {99}};
  EXPECT_EQ(variants_of(read)(problem), "openmpi:binomial");
  problem.message = {100};
  EXPECT_EQ(variants_of(read)(problem), kNative) << "no other rules for these communicators";
  EXPECT_EQ(read.answer(problem).line, 3);
  problem.procs = 7;
  EXPECT_EQ(variants_of(read)(problem), "openmpi:basic_linear");
  problem.message = {500};
  EXPECT_EQ(variants_of(read)(problem), "openmpi:pipeline");
}

TEST(OpenmpiJson, AnAlgorithmIsANameOrANumberOrLeftToTheLibrary) {
  const auto variant = [](std::string_view algorithm) {
    const ReadTable read =
        read_foreign(fmt::format(R"("alltoall": [{{"rules": [{{"alg": {}}}]}}])", algorithm));
    if (!read.answer) return text_of(read);
    EXPECT_TRUE(read.advice.empty()) << text_of(read);
    return variants_of(read)({.collective = Collective::alltoall, .procs = 8, .message = {8}});
  };
  for (const char* pairwise : {"2", "\"2\"", "\"pairwise\"", "\"Pairwise\""}) {
    EXPECT_EQ(variant(pairwise), "openmpi:pairwise") << pairwise;
  }
  for (const char* native : {"0", "\"ignore\""}) EXPECT_EQ(variant(native), kNative) << native;
  EXPECT_NE(variant("9").find("alltoall '9' is no algorithm"), std::string::npos) << variant("9");
}

TEST(OpenmpiJson, MostRequestsAreAParameter) {
  const ReadTable read =
      read_foreign(R"("alltoall": [{"rules": [{"alg": "linear_sync", "reqs": 3}]}])");
  ASSERT_TRUE(read.answer) << text_of(read);
  EXPECT_TRUE(read.advice.empty()) << text_of(read);
  const Answer answer =
      read.answer({.collective = Collective::alltoall, .procs = 8, .message = {8}});
  EXPECT_EQ(to_text(answer.variant), "openmpi:linear_sync:max_requests=3");
  EXPECT_NE(emitted_json(library_table({library_rule(Collective::alltoall, 8, 8,
                                                     "openmpi:linear_sync:max_requests=3")}))
                .find(R"("linear_sync", "reqs": 3})"),
            std::string::npos);
}

TEST(OpenmpiJson, RulesMayHoldForOnePlacingOfRanks) {
  const ReadTable read = read_foreign(R"("reduce": [
    {"comm_rank_distribution": "one-per-node", "rules": [{"alg": "linear"}]},
    {"comm_rank_distribution": "single-node", "rules": [{"alg": "rabenseifner"}]},
    {"comm_rank_distribution": "some", "rules": [{"alg": 0}]}])");
  EXPECT_TRUE(advises(read, 3, "MPI_COMM_WORLD never gets this rule"));
  EXPECT_TRUE(advises(read, 5, "'some' for 'any'"));
  EXPECT_EQ(read.advice.size(), 2U) << text_of(read);
  Case problem{.collective = Collective::reduce, .procs = 4, .message = {8}};
  EXPECT_EQ(variants_of(read)(problem), "openmpi:rabenseifner");
  problem.nodes = 2;
  EXPECT_EQ(variants_of(read)(problem), kNative);
  problem.nodes = 4;
  EXPECT_EQ(variants_of(read)(problem), "openmpi:linear");
}

TEST(OpenmpiJson, StringsAndNumbersAreReadAsTheLibraryDoes) {
  const auto variant = [](std::string_view rule) {
    const ReadTable read =
        read_foreign(fmt::format(R"("reduce": [{{"rules": [{{{}}}]}}], "gatherv": [])", rule));
    if (!read.answer) return text_of(read);
    return variants_of(read)({.collective = Collective::reduce, .procs = 8, .message = {8}});
  };
  for (const char* linear : {R"("alg": "\linear")", R"("alg": "0x1")", R"("alg": 4294967297)",
                             "\"x\t\xff\": 1, \"alg\": 1", R"("alg": "01", "msg_size_max": -1)"}) {
    EXPECT_EQ(variant(linear), "openmpi:linear") << linear;
  }
  EXPECT_EQ(variant(R"("alg": "knomial", "faninout": 8)"), "openmpi:knomial:radix=8");
  EXPECT_NE(variant(R"("alg": "knomial")").find("hangs or does nothing"), std::string::npos);
  EXPECT_EQ(variant(R"("alg": "")"), kNative);
  for (const char* wrong :
       {R"("alg": 1, "msg_size_min": 9223372036854775808)", R"("alg": 1, "msg_size_min": -1)",
        R"("alg": 1, "faninout": 4294967295)", R"("alg": 1.0)", R"("alg": "bruck")"}) {
    EXPECT_EQ(variant(wrong).substr(0, 3), "2: ") << wrong;
  }
  for (const char* broken :
       {R"("allgathervx": [{"rules": {}}])", R"("scan": {})", R"("scan": null)",
        R"("scan": [{"rules": null}])", R"("scattervx": [])"}) {
    EXPECT_FALSE(read_foreign(broken).answer) << broken;
  }
  EXPECT_TRUE(read_foreign(R"("allgathervx": [])").answer);
  EXPECT_FALSE(openmpi::read_json(R"({"collectives": null})").answer);
  EXPECT_TRUE(openmpi::read_json(R"({"breakeven": 1, "collectives": {}})").answer);
}

TEST(OpenmpiJson, ACommaBehindALastValueIsReadAsTheLibraryDoes) {
  const std::string text = "\"scan\": [{\"rules\": [\n{\"alg\": \"linear\" ,\n}, ]}, ],";
  EXPECT_TRUE(read_foreign(text).answer) << text_of(read_foreign(text));
  for (const auto& [from, to] : {std::pair{",\n}", ",,\n}"}, std::pair{": [{", ": [,{"}}) {
    EXPECT_FALSE(read_foreign(replaced(text, from, to)).answer) << to;
  }
  const ReadTable in_string = read_foreign(replaced(text, "linear\"", "linear,]\""));
  EXPECT_TRUE(finds(in_string, 3, "'linear,]' is no algorithm")) << text_of(in_string);
}

TEST(OpenmpiJson, BoundsAreIntegersOrInfinite) {
  const auto read = [](std::string_view most) {
    return read_foreign(
        fmt::format("\"scan\": [{{\"rules\": [\n{{\"msg_size_max\": {}, \"alg\": 1}}]}}]", most));
  };
  for (const char* good : {"9", "\"inf\"", "\"Infinity\""}) {
    EXPECT_TRUE(read(good).answer) << text_of(read(good));
  }
  for (const char* bad : {"9.0", "\"9\"", "null"}) {
    EXPECT_TRUE(finds(read(bad), 3, "neither an integer nor \"inf\""));
  }
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
  EXPECT_TRUE(
      finds(openmpi::read_json(replaced(text, "\"alg\"", "\"algo\"")), 2, "without an algorithm"));
}

TEST(OpenmpiJson, AnUnknownAlgorithmIsFound) {
  const std::string text = replaced(emitted_json(), "\"butterfly\"", "\"moth\"");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "\"moth\""), "'moth'"));
}

TEST(OpenmpiJson, AParameterThatTheAlgorithmLacksIsFound) {
  const std::string text =
      replaced(emitted_json(), "\"alg\": \"ring\"", "\"alg\": \"ring\", \"seg_size\": 8");
  EXPECT_TRUE(
      advises(openmpi::read_json(text), line_with(text, "\"seg_size\": 8}"), "takes no segments"));
}

TEST(OpenmpiJsonHazard, OlderVersionsReadNoJson) {
  EXPECT_THROW((void)openmpi::emit_json(openmpi_table(), openmpi_provenance("5.0.7")), UsageError);
  const std::string text = replaced(emitted_json(), "Open MPI v6.0.0", "Open MPI v5.0.7");
  EXPECT_TRUE(finds(openmpi::read_json(text), 0, "from 6 on"));
}

TEST(OpenmpiJsonHazard, RangesAreInclusive) {
  const auto file = nlohmann::json::parse(emitted_json());
  const auto rules = file.at("collectives").at("allreduce").at(0);
  EXPECT_EQ(rules.at("comm_size_min"), 3);
  EXPECT_EQ(rules.at("comm_size_max"), 4);
  EXPECT_EQ(rules.at("rules").at(0).at("msg_size_max"), 4999);
  EXPECT_EQ(rules.at("rules").at(1).at("msg_size_min"), 5000);
  EXPECT_EQ(rules.at("rules").at(1).at("msg_size_max"), "inf");
}

TEST(OpenmpiJsonHazard, AnInfiniteCommunicatorSizeDisablesTheRule) {
  EXPECT_EQ(emitted_json().find("\"comm_size_max\": \"inf\""), std::string::npos);
  const std::string text =
      replaced(emitted_json(), "\"comm_size_max\": 2", "\"comm_size_max\": \"inf\"");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "\"comm_size_max\": \"inf\""), "-1"));
}

TEST(OpenmpiJsonHazard, AnUnknownCollectiveDropsTheWholeFile) {
  // The names are the reader's, not those of its published schema.
  const auto collectives = nlohmann::json::parse(emitted_json()).at("collectives");
  for (const char* name : {"allgatherv", "reduce_scatter", "reduce_scatter_block"}) {
    EXPECT_TRUE(collectives.contains(name)) << name;
  }
  const std::string text = replaced(emitted_json(), "\"reduce_scatter\":", "\"reducescatter\":");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "\"reducescatter\""),
                    "knows 'reduce_scatter'"));
}

TEST(OpenmpiJsonHazard, ACollectiveWithoutAlgorithmsEndsTheProgramAndAKeyTwiceIsAmbiguous) {
  for (const char* name : {"gatherv", "neighbor_allgather"}) {
    const std::string text = fmt::format(R"("{}": [{{"rules": [{{"alg": 1}}]}}])", name);
    EXPECT_TRUE(finds(read_foreign(text), 2, "a rule ends the program"));
  }
  EXPECT_TRUE(finds(read_foreign("\"scan\": [], \"scan\": []"), 1, "\"scan\" twice"));
}

TEST(OpenmpiJsonHazard, TheKeyOfSegmentsIsNotThatOfTheConverter) {
  const std::string text = emitted_json();
  EXPECT_NE(text.find("\"seg_size\": 8192"), std::string::npos);
  const std::string edited = replaced(text, "\"seg_size\": 8192", "\"segsize\": 8192");
  EXPECT_TRUE(
      advises(openmpi::read_json(edited), line_with(edited, "\"segsize\""), "passes over the key"));
}

TEST(OpenmpiJsonHazard, CommentsAreNoJson) {
  EXPECT_TRUE(nlohmann::json::accept(emitted_json()));
  const std::string text = replaced(emitted_json(), "  \"module\"", "# here\n  \"module\"");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "# here"), "no JSON"));
}

TEST(OpenmpiJsonHazard, AChainWithoutFanOutWouldBeAPipeline) {
  EXPECT_NE(emitted_json().find("\"alg\": \"chain\", \"faninout\": 4}"), std::string::npos);
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
      emitted_json(library_table({library_rule(Collective::gather, 2, 8, "openmpi:binomial")}));
  const std::string edited = replaced(text, "\"msg_size_max\": \"inf\"", "\"msg_size_max\": 99");
  EXPECT_TRUE(advises(openmpi::read_json(edited), line_with(edited, begin) + 1, "gather has 2"));
}

TEST(OpenmpiJsonHazard, TwoProcOnOtherThanTwoProcessesEndsTheProgram) {
  const std::string text = replaced(emitted_json(), "\"comm_size_max\": 2", "\"comm_size_max\": 3");
  EXPECT_TRUE(finds(openmpi::read_json(text), line_with(text, "\"two_proc\""), "ends a program"));
}

TEST(OpenmpiJsonHazard, OperationsThatDoNotCommuteGetWrongResults) {
  const Emitted rules = openmpi::emit_json(openmpi_table(6), openmpi_provenance("6.0.0"));
  ASSERT_FALSE(rules.degraded.empty());
  EXPECT_NE(rules.text.find(rules.degraded[0]), std::string::npos);
  tables::Provenance provenance = openmpi_provenance("6.0.0");
  provenance.allowed_unsafe.clear();
  const ReadTable read = openmpi::read_json(openmpi::emit_json(openmpi_table(6), provenance).text);
  ASSERT_TRUE(read.answer) << testing::text_of(read);
  EXPECT_EQ(variants_of(read)({.procs = 8, .message = {1 << 16}}), kNative);
}

}  // namespace
}  // namespace breakeven::formats
