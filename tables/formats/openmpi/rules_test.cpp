// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/rules.hpp"

#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "libraries/openmpi_rules.hpp"
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

std::string emitted_rules(const tables::Table& table = openmpi_table(),
                          std::string_view version = "4.1.4") {
  return openmpi::emit_rules(table, openmpi_provenance(version)).text;
}

/// The part that the library reads: all outside of comments.
std::string numbers_of(const std::string& text) {
  std::istringstream lines{text};
  std::string numbers;
  for (std::string line; std::getline(lines, line);) {
    const std::string kept = line.substr(0, line.find('#'));
    if (!kept.empty()) numbers += kept + '\n';
  }
  return numbers;
}

/// A whole file of which only the rules are not ours.
std::string with_lines(std::string_view rules) {
  const std::string text = emitted_rules();
  return text.substr(0, text.find("\n14 #") + 1) + std::string{rules};
}

void expect_answers_as_the_table(const tables::Table& table, int last_procs) {
  const ReadTable read = openmpi::read_rules(emitted_rules(table));
  ASSERT_TRUE(read.answer) << text_of(read);
  testing::expect_table_on_dense_grid(table, 1, last_procs, testing::variants_of(read));
}

std::string rules_refusal(const tables::Table& table, const tables::Provenance& provenance) {
  try {
    return openmpi::emit_rules(table, provenance).text;
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(OpenmpiRules, IsTheGoldenText) { testing::expect_golden("openmpi_rules", emitted_rules()); }

TEST(OpenmpiRules, AnswersAsTheTableForEveryPAndSize) {
  expect_answers_as_the_table(openmpi_table(), 12);
}

TEST(OpenmpiRules, SaysAllOfATableThatItCanSay) {
  const std::vector<std::string> degraded =
      openmpi::emit_rules(openmpi_table(), openmpi_provenance()).degraded;
  EXPECT_EQ(degraded,
            (std::vector<std::string>{
                "openmpi:allreduce/ring: wrong results for operations that do not commute",
                "openmpi:allreduce/segmented_ring:segment_bytes=8192: wrong results for operations "
                "that do not commute",
                "openmpi:bcast/chain:fanout=2,segment_bytes=1024: wrong results for datatypes that "
                "differ by rank"}));
}

TEST(OpenmpiRules, ATableOfDefaultsIsAFileWithoutRules) {
  const tables::Table table = library_table({library_rule(Collective::allreduce, 4, 8, "native")});
  EXPECT_EQ(numbers_of(emitted_rules(table)), "0 \n");
  expect_answers_as_the_table(table, 6);
}

TEST(OpenmpiRules, IsForNoOtherLibrary) {
  EXPECT_NE(
      rules_refusal(openmpi_table(), tables::testing::some_provenance()).find("is for Open MPI"),
      std::string::npos);
}

TEST(OpenmpiRules, NoCutOfItGoesUnseen) {
  const tables::Table small =
      library_table({library_rule(Collective::allreduce, 2, 8, "openmpi:ring"),
                     library_rule(Collective::bcast, 2, 8, "openmpi:chain")});
  testing::expect_every_cut_is_found(small, emitted_rules(small), openmpi::read_rules);
}

TEST(OpenmpiRules, AForeignFileIsReadByTheKnownNumbers) {
  const auto read = [](int algorithm) {
    return openmpi::read_rules(fmt::format("1\n2\n2\n2\n1\n0 {} 0 0\n9\n1\n0 0 0 0\n", algorithm));
  };
  ASSERT_TRUE(read(3).answer) << text_of(read(3));
  EXPECT_EQ(variants_of(read(3))({.procs = 8, .message = {8}}), "openmpi:recursive_doubling");
  EXPECT_EQ(variants_of(read(3))({.procs = 9, .message = {8}}), "native");
  EXPECT_TRUE(advises(read(4), 6, "openmpi:allreduce/ring is not for every program"));
  EXPECT_TRUE(finds(read(8), 6, "no algorithm 8"));
}

TEST(OpenmpiRules, AnAnswerHasItsLineItsNumberAndWhereItHolds) {
  const std::string text = emitted_rules();
  const ReadTable read = openmpi::read_rules(text);
  const Answer chosen = read.answer({.procs = 8, .message = {3072}});
  EXPECT_EQ(chosen.number, 4);
  EXPECT_EQ(chosen.line, line_with(text, "32 4 0 0 # ring"));
  EXPECT_EQ(chosen.rule, "p = 8, bytes 32 to 99999 (this call: 3072, the bytes of the vector)");
  const Answer blocks =
      read.answer({.collective = Collective::allgather, .procs = 5, .message = {8}});
  EXPECT_EQ(blocks.rule, "p = 4 to 6, bytes any (this call: 40, the bytes of all blocks)");
  const Answer above = read.answer({.procs = 48, .message = {8}});
  EXPECT_EQ(above.rule, "p = 9 and more, bytes any (this call: 8, the bytes of the vector)");
  EXPECT_GT(above.line, chosen.line);
  EXPECT_EQ(read.answer({.procs = 1, .message = {8}}).rule,
            "p = 1: coll/tuned takes no part there");
}

// One test for each hazard of the format; each fails when its guard is taken away.

TEST(OpenmpiRulesHazard, DigitsWithinWordsAreReadAsNumbersAndNegativeOnesDropTheWholeFile) {
  // All words of ours stand in comments, and numbers are all that stands outside.
  EXPECT_TRUE(std::regex_match(numbers_of(emitted_rules()), std::regex{"[0-9 \n]*"}));
  const auto with_fanout = [](std::string_view word) {
    return with_lines(fmt::format("1\n7\n1\n2\n1\n0 2 {} 0\n", word));
  };
  for (const char* word : {"hello3world", "3world", "hello--3", "03", "0x3", "4294967299"}) {
    const std::string text = with_fanout(word);
    const ReadTable read = openmpi::read_rules(text);
    EXPECT_EQ(variants_of(read)({.collective = Collective::bcast, .procs = 4}),
              "openmpi:chain:fanout=3")
        << word;
    EXPECT_TRUE(advises(read, line_with(text, fmt::format("0 2 {}", word)), "the library"));
  }
  for (const char* word : {"-1", "hello-1"}) {
    const std::string text = with_fanout(word);
    EXPECT_TRUE(finds(openmpi::read_rules(text), line_with(text, fmt::format("0 2 {}", word)),
                      "a fan-out is -1"));
  }
  EXPECT_TRUE(finds(openmpi::read_rules("1 7 1 2 1 0 2 4294967295 0"), 1, "takes for -1"));
}

TEST(OpenmpiRulesHazard, WordsWithoutDigitsAndCollectivesThatTunedLacksArePassedOver) {
  const std::string text = with_lines("3\n2 sizes\n0\n18\n0\n10\n1\n2\n1\n0 2 0 0\n");
  const ReadTable read = openmpi::read_rules(text);
  const int line = line_with(text, "2 sizes");
  EXPECT_TRUE(advises(read, line, "passes over 'sizes'"));
  EXPECT_TRUE(advises(read, line, "no rule for any communicator size"));
  EXPECT_TRUE(advises(read, line + 2, "nothing for the collective 18"));
  EXPECT_TRUE(advises(read, line + 4, "nothing for gatherv"));
}

TEST(OpenmpiRulesHazard, ParametersThatAnAlgorithmLacksArePassedOver) {
  const ReadTable read = openmpi::read_rules("1\n2\n2\n2\n1\n0 3 2 64\n9\n1\n0 0 0 0\n");
  EXPECT_TRUE(advises(read, 6, "takes no fan-out"));
  EXPECT_TRUE(advises(read, 6, "takes no segments"));
  EXPECT_EQ(variants_of(read)({.procs = 8, .message = {8}}), "openmpi:recursive_doubling");
}

TEST(OpenmpiRulesHazard, AnOpenEndedFileAnswersAndAdvises) {
  const ReadTable read = openmpi::read_rules("1\n7\n2\n6\n1\n0 6 0 0\n12\n1\n0 1 0 0\n");
  EXPECT_TRUE(advises(read, 4, "fewer than 6"));
  EXPECT_TRUE(advises(read, 7, "12 processes or more"));
  Case problem{.collective = Collective::bcast, .procs = 3, .message = {1024}};
  EXPECT_EQ(variants_of(read)(problem), "openmpi:binomial");
  problem.procs = 99;
  EXPECT_EQ(variants_of(read)(problem), "openmpi:basic_linear");
}

TEST(OpenmpiRulesHazard, AWrongCountIsOneFaultWhereItIsAnnounced) {
  const std::string right = "1\n2\n2\n2\n2\n0 3 0 0\n64 2 0 0\n9\n1\n0 0 0 0\n";
  const auto fault = [&](std::string_view from, std::string_view to) {
    const ReadTable read = openmpi::read_rules(replaced(right, from, to));
    return read.faults.size() == 1 ? text_of(read) : "several:\n" + text_of(read);
  };
  EXPECT_EQ(fault("2\n0 3", "3\n0 3"),
            "5: line 5 announces 3 message sizes; number 3 takes numbers of lines 8 to 10\n");
  EXPECT_EQ(fault("2\n0 3", "1\n0 3"),
            "5: line 5 announces 1 message sizes; line 7 looks like one more\n");
  EXPECT_EQ(fault("1\n0 0", "2\n0 0"),
            "10: the file ends here, before a message size: was it cut? line 9 announces 2 message "
            "sizes\n");
}

TEST(OpenmpiRulesHazard, NumbersWithALeadingZeroAreOctal) {
  EXPECT_FALSE(std::regex_search(numbers_of(emitted_rules()), std::regex{"\\b0[0-9]"}));
  const std::string text = with_lines("1\n2\n1\n2\n2\n0 3 0 0\n010 3 0 0\n");
  const ReadTable read = openmpi::read_rules(text);
  EXPECT_TRUE(advises(read, line_with(text, "010 3"), "takes '010' for 8"));
  ASSERT_TRUE(read.answer) << text_of(read);
  EXPECT_EQ(read.answer({.procs = 4, .message = {8}}).line, line_with(text, "010 3"));
}

TEST(OpenmpiRulesHazard, AVersionLineIsANegativeNumberForOlderLibraries) {
  for (const char* version : {"4.1.4", "5.0.7"}) {
    EXPECT_EQ(emitted_rules(openmpi_table(), version).find("rule-file-version"), std::string::npos);
  }
  const std::string text = "rule-file-version-2\n" + emitted_rules();
  EXPECT_TRUE(finds(openmpi::read_rules(text), 1, "negative number"));
  EXPECT_TRUE(openmpi::read_rules(replaced(text, "version-2", "version-x")).answer);
}

TEST(OpenmpiRulesHazard, AVersionLineAllowsAFifthNumberTheMostRequests) {
  const std::string rules = "1\n3\n2\n2\n1\n0 4 0 0 7\n9\n1\n0 0 0 0\n";
  const ReadTable read = openmpi::read_rules("rule-file-version-2\n" + rules);
  EXPECT_TRUE(advises(read, 1, "before 4.1.8 and 5.0.7"));
  const Answer answer =
      read.answer({.collective = Collective::alltoall, .procs = 8, .message = {8}});
  EXPECT_EQ(to_text(answer.variant), "openmpi:linear_sync:max_requests=7");
  const tables::Table table = library_table(
      {library_rule(Collective::alltoall, 8, 8, "openmpi:linear_sync:max_requests=7")});
  const std::string written = emitted_rules(table, "5.0.7");
  EXPECT_TRUE(written.starts_with("rule-file-version-2\n#"));
  const ReadTable again = openmpi::read_rules(written);
  ASSERT_TRUE(again.answer) << text_of(again);
  EXPECT_EQ(to_text(again.answer({.collective = Collective::alltoall, .procs = 8}).variant),
            "openmpi:linear_sync:max_requests=7");
  EXPECT_NE(emitted_rules(table, "4.1.4").find("max_requests=7 can't be said by a rule"),
            std::string::npos);
  EXPECT_FALSE(openmpi::read_rules("rule-file-version-1\n" + rules).answer);
  EXPECT_TRUE(finds(openmpi::read_rules(rules), 6, "has to begin with rule-file-version-2"));
  const std::string known =
      replaced(emitted_rules(openmpi_table(), "5.0.7"), "#", "rule-file-version-2\n#");
  EXPECT_TRUE(openmpi::read_rules(known).advice.empty());
  EXPECT_TRUE(openmpi::read_rules(known).answer) << text_of(openmpi::read_rules(known));
}

TEST(OpenmpiRulesHazard, AFirstMessageSizeAboveZeroDropsTheWholeFile) {
  const std::string text = with_lines("1\n2\n2\n2\n1\n4 3 0 0\n9\n1\n0 0 0 0\n");
  EXPECT_TRUE(finds(openmpi::read_rules(text), line_with(text, "4 3 0 0"), "first message size"));
  const tables::Table late =
      library_table({library_rule(Collective::allreduce, 2, 4096, "openmpi:ring")});
  EXPECT_NE(numbers_of(emitted_rules(late)).find("\n0 0 0 0 \n8 4 0 0 \n"), std::string::npos)
      << numbers_of(emitted_rules(late));
}

TEST(OpenmpiRulesHazard, MessageSizesMustAscend) {
  const std::string text =
      with_lines("1\n2\n2\n2\n3\n0 3 0 0\n99 4 0 0\n98 3 0 0\n9\n1\n0 0 0 0\n");
  EXPECT_TRUE(finds(openmpi::read_rules(text), line_with(text, "98 3 0 0"), "does not ascend"));
}

TEST(OpenmpiRulesHazard, CommunicatorSizesMustAscend) {
  const std::string text = with_lines("1\n2\n3\n2\n1\n0 3 0 0\n18\n1\n0 4 0 0\n17\n1\n0 0 0 0\n");
  EXPECT_TRUE(finds(openmpi::read_rules(text), line_with(text, "17\n"), "does not ascend"));
}

TEST(OpenmpiRulesHazard, ACollectiveWithRulesTwiceHasTheLastOnes) {
  const std::string rules = "2\n2\n2\n1\n0 3 0 0\n9\n1\n0 0 0 0\n";
  const std::string text = with_lines("2\n" + rules + rules);
  EXPECT_TRUE(advises(openmpi::read_rules(text), line_with(text, "\n2\n2\n2\n1\n0 3") + 9, "twice"))
      << text_of(openmpi::read_rules(text));
}

TEST(OpenmpiRulesHazard, FirstCommRuleAlsoHoldsForSmallerCommunicators) {
  const tables::Table from_four =
      library_table({library_rule(Collective::bcast, 4, 8, "openmpi:chain")});
  const ReadTable read = openmpi::read_rules(emitted_rules(from_four));
  ASSERT_TRUE(read.answer) << text_of(read);
  EXPECT_NE(numbers_of(emitted_rules(from_four)).find("\n3 \n2 \n1 \n0 0 0 0 \n4 \n"),
            std::string::npos);
  EXPECT_EQ(variants_of(read)({.collective = Collective::bcast, .procs = 3, .message = {8}}),
            "native");
  const std::string text = with_lines("1\n2\n2\n4\n1\n0 3 0 0\n9\n1\n0 0 0 0\n");
  EXPECT_TRUE(advises(openmpi::read_rules(text), line_with(text, "\n4\n1\n") + 1, "fewer than 4"));
}

TEST(OpenmpiRulesHazard, LastCommRuleAlsoHoldsForGreaterCommunicators) {
  const std::string numbers = numbers_of(
      emitted_rules(library_table({library_rule(Collective::bcast, 2, 8, "openmpi:chain"),
                                   library_rule(Collective::bcast, 6, 8, "openmpi:chain")})));
  EXPECT_TRUE(numbers.ends_with("\n7 \n1 \n0 0 0 0 \n")) << numbers;
  const std::string text = with_lines("1\n2\n1\n2\n1\n0 3 0 0\n");
  EXPECT_TRUE(advises(openmpi::read_rules(text), line_with(text, "\n2\n1\n0 3") + 1, "or more"));
}

TEST(OpenmpiRulesHazard, OneSizeRuleWhereTheLibraryKnowsNoSizes) {
  using enum Collective;
  for (const auto& [collective, small, large] :
       {std::tuple{alltoallv, "openmpi:basic_linear", "openmpi:pairwise"},
        std::tuple{exscan, "openmpi:linear", "openmpi:recursive_doubling"},
        std::tuple{scan, "openmpi:linear", "openmpi:recursive_doubling"}}) {
    const tables::Table table =
        library_table({library_rule(collective, 2, 8, small), library_rule(collective, 4, 8, small),
                       library_rule(collective, 4, 1024, large)});
    const Emitted emitted = openmpi::emit_rules(table, openmpi_provenance());
    EXPECT_NE(numbers_of(emitted.text).find("\n2 \n1 \n0 1 0 0 \n3 \n"), std::string::npos)
        << numbers_of(emitted.text);
    ASSERT_EQ(emitted.degraded.size(), 1U);
    EXPECT_NE(emitted.degraded[0].find("the library decides at p = 3 to 4"), std::string::npos)
        << emitted.degraded[0];
    const ReadTable read = openmpi::read_rules(emitted.text);
    ASSERT_TRUE(read.answer) << text_of(read);
    const Case problem{.collective = collective, .procs = 2, .message = {1 << 20}};
    EXPECT_EQ(variants_of(read)(problem), small);
  }
}

TEST(OpenmpiRulesHazard, AnUnknownAlgorithmEndsTheProgram) {
  const tables::Table table =
      library_table({library_rule(Collective::allgather, 4, 8, "openmpi:sparbit")});
  EXPECT_NE(
      rules_refusal(table, openmpi_provenance("4.1.4")).find("did not list allgather 'sparbit'"),
      std::string::npos);
  EXPECT_NO_THROW((void)openmpi::emit_rules(table, openmpi_provenance("5.0.7")));
  const std::string text =
      replaced(emitted_rules(), "0 3 0 0 # recursive_doubling", "0 42 0 0 # ring");
  EXPECT_TRUE(finds(openmpi::read_rules(text), line_with(text, "0 42 0 0"), "no algorithm 42"));
}

TEST(OpenmpiRulesHazard, ATableForALaterVersionHasNumbersThatAnEarlierOneLacks) {
  const tables::Table table =
      library_table({library_rule(Collective::allgather, 4, 8, "openmpi:sparbit")});
  tables::Provenance provenance = openmpi_provenance("5.0.7");
  provenance.allowed_unsafe = {"openmpi:allgather/sparbit"};
  std::string text = openmpi::emit_rules(table, provenance).text;
  EXPECT_TRUE(openmpi::read_rules(text).answer);
  text = replaced(text, " 7 sparbit", "");
  EXPECT_TRUE(finds(openmpi::read_rules(text), line_with(text, "0 7 0 0"), "no algorithm 7"));
}

TEST(OpenmpiRulesHazard, AlgorithmsHaveTheNumbersOfTheVersionThatIsNamed) {
  const auto read = [](std::string_view rule, std::string_view head) {
    return openmpi::read_rules(fmt::format("1 {} 0 0\n{}", rule, head));
  };
  EXPECT_TRUE(finds(read("2 1 2 1 0 7", ""), 1, "allreduce has no algorithm 7")) << "of 6";
  EXPECT_TRUE(read("0 1 2 1 0 7", "").answer) << "of 5";
  EXPECT_TRUE(finds(read("0 1 2 1 0 7", "# library    Open MPI v4.1.4"), 1, "no algorithm 7"));
}

TEST(OpenmpiRulesHazard, ACollectiveThatTunedLacksDropsTheWholeFileToo) {
  EXPECT_TRUE(finds(openmpi::read_rules("1 5 1 2 1 8 1 0 0"), 1, "first message size is 8"));
}

TEST(OpenmpiRulesHazard, WithoutCapabilitiesItNamesNoAlgorithm) {
  tables::Provenance provenance = openmpi_provenance();
  provenance.capabilities = {};
  EXPECT_NE(rules_refusal(openmpi_table(), provenance).find("did not list"), std::string::npos);
}

TEST(OpenmpiRulesHazard, AChainWithoutFanOutWouldBeAPipeline) {
  const std::string numbers = numbers_of(emitted_rules());
  EXPECT_NE(numbers.find("2048 2 4 0 \n"), std::string::npos) << numbers;
  EXPECT_NE(numbers.find("16384 2 2 1024 \n"), std::string::npos) << numbers;
  const std::string text = with_lines("1\n7\n2\n2\n1\n0 2 0 0\n9\n1\n0 0 0 0\n");
  EXPECT_TRUE(advises(openmpi::read_rules(text), line_with(text, "0 2 0 0"), "is a pipeline"));
}

TEST(OpenmpiRulesHazard, ARadixCannotBeSaid) {
  const tables::Table table =
      library_table({library_rule(Collective::bcast, 4, 8, "openmpi:knomial"),
                     library_rule(Collective::bcast, 4, 4096, "openmpi:knomial:radix=2")});
  const Emitted rules = openmpi::emit_rules(table, openmpi_provenance());
  const ReadTable read = openmpi::read_rules(rules.text);
  ASSERT_TRUE(read.answer) << text_of(read);
  Case problem{.collective = Collective::bcast, .procs = 4, .message = {8}};
  EXPECT_EQ(variants_of(read)(problem), "openmpi:knomial");
  problem.message = {4096};
  EXPECT_EQ(variants_of(read)(problem), "native");
  ASSERT_EQ(rules.degraded.size(), 1U);
  EXPECT_NE(rules.degraded[0].find("bcast: openmpi:knomial:radix=2"), std::string::npos);
  EXPECT_NE(rules.text.find(rules.degraded[0]), std::string::npos);
}

TEST(OpenmpiRulesHazard, BelowItsConditionAnAlgorithmFallsBackSilently) {
  // A ring of int needs 4 bytes for each process, whose number goes from 2 to 8 within the rules.
  const tables::Table table =
      library_table({library_rule(Collective::allreduce, 2, 4, "openmpi:ring"),
                     library_rule(Collective::allreduce, 8, 4, "openmpi:ring")});
  const ReadTable read = openmpi::read_rules(emitted_rules(table));
  ASSERT_TRUE(read.answer) << text_of(read);
  for (int procs = 2; procs <= 8; ++procs) {
    EXPECT_EQ(variants_of(read)({.procs = procs, .message = {4 * procs - 1}}), "native") << procs;
    // A p that was not measured shares its size with greater ones.
    const int enough = procs == 2 || procs == 8 ? procs : static_cast<int>(procs * kProcsError);
    EXPECT_EQ(variants_of(read)({.procs = procs, .message = {4 * enough}}), "openmpi:ring")
        << procs;
  }
}

TEST(OpenmpiRulesHazard, ASegmentedRingWithTooFewSegmentsIsARingSilently) {
  const std::string_view ring = "openmpi:segmented_ring:segment_bytes=1024";
  const tables::Table table = library_table({library_rule(Collective::allreduce, 4, 8, ring)});
  const ReadTable read = openmpi::read_rules(emitted_rules(table));
  ASSERT_TRUE(read.answer) << text_of(read);
  for (const int bytes : {0, 4, 1024, 4095}) {
    EXPECT_EQ(variants_of(read)({.procs = 4, .message = {bytes}}), "native") << bytes;
  }
  EXPECT_EQ(variants_of(read)({.procs = 4, .message = {4096}}), ring);
}

TEST(OpenmpiRulesHazard, TwoProcOnOtherThanTwoProcessesEndsTheProgram) {
  const std::string numbers = numbers_of(
      emitted_rules(library_table({library_rule(Collective::barrier, 2, 0, "openmpi:two_proc")})));
  EXPECT_TRUE(numbers.ends_with("\n2 \n2 \n1 \n0 5 0 0 \n3 \n1 \n0 0 0 0 \n")) << numbers;
  const std::string text = with_lines("1\n6\n2\n2\n1\n0 5 0 0\n4\n1\n0 0 0 0\n");
  EXPECT_TRUE(finds(openmpi::read_rules(text), line_with(text, "0 5 0 0"), "two_proc"));
}

TEST(OpenmpiRulesHazard, SizesHaveTheUnitOfTheirCollective) {
  const auto bytes = [](Collective collective) {
    return libraries::openmpi::rules_bytes(
        {.collective = collective, .procs = 3, .message = {100}});
  };
  using enum Collective;
  for (const Collective vector : {allreduce, bcast, reduce}) EXPECT_EQ(bytes(vector), 100);
  for (const Collective all : {allgather, gather, scatter, reduce_scatter, reduce_scatter_block}) {
    EXPECT_EQ(bytes(all), 300);
  }
  EXPECT_EQ(bytes(allgatherv), 100) << "the mean block";
  EXPECT_EQ(bytes(barrier), 0);
  const std::string numbers = numbers_of(emitted_rules());
  EXPECT_NE(numbers.find("2560 4 0 0"), std::string::npos) << "blocks of 640 at p = 4";
}

TEST(OpenmpiRulesHazard, GatherAndScatterWithSeveralSizeRulesBreakLegalPrograms) {
  for (const Collective collective : {Collective::gather, Collective::scatter}) {
    const tables::Table table =
        library_table({library_rule(collective, 3, 8, "openmpi:binomial"),
                       library_rule(collective, 4, 8, "openmpi:basic_linear"),
                       library_rule(collective, 4, 4096, "openmpi:binomial")});
    const Emitted rules = openmpi::emit_rules(table, openmpi_provenance());
    const ReadTable read = openmpi::read_rules(rules.text);
    ASSERT_TRUE(read.answer) << text_of(read);
    Case problem{.collective = collective, .procs = 3, .message = {8}};
    EXPECT_EQ(variants_of(read)(problem), "openmpi:binomial");
    problem.procs = 4;
    EXPECT_EQ(variants_of(read)(problem), "native");
    ASSERT_EQ(rules.degraded.size(), 1U);
    EXPECT_NE(rules.degraded[0].find("at p = 4"), std::string::npos) << rules.degraded[0];
  }
  const std::string text = with_lines("1\n9\n2\n2\n2\n0 1 0 0\n4096 2 0 0\n9\n1\n0 0 0 0\n");
  EXPECT_TRUE(advises(openmpi::read_rules(text), line_with(text, "\n2\n2\n0 1") + 1,
                      "gather has 2 size rules"));
}

TEST(OpenmpiRulesHazard, AllgatherLinearCallsGatherAndInheritsItsHazard) {
  // It is safe as long as gather has one size rule, which it always has here.
  const tables::Table table =
      library_table({library_rule(Collective::allgather, 4, 8, "openmpi:linear"),
                     library_rule(Collective::gather, 4, 8, "openmpi:basic_linear"),
                     library_rule(Collective::gather, 4, 99, "openmpi:binomial")});
  const ReadTable read = openmpi::read_rules(emitted_rules(table));
  ASSERT_TRUE(read.answer) << text_of(read);
  for (const int bytes : {0, 8, 99, 1 << 20}) {
    EXPECT_EQ(variants_of(read)({.collective = Collective::gather, .procs = 4, .message = {bytes}}),
              "native");
  }
}

TEST(OpenmpiRulesHazard, SizesThatRanksMaySeeDifferentlyGetOneRuleOrNone) {
  for (const Collective collective :
       {Collective::allgather, Collective::allgatherv, Collective::alltoall}) {
    const std::string_view small = collective == Collective::alltoall ? "linear" : "bruck";
    const std::string variant = fmt::format("openmpi:{}", small);
    const tables::Table two = library_table(
        {library_rule(collective, 4, 8, variant), library_rule(collective, 4, 1024, "native")});
    const auto first = [&](const tables::Table& table) {
      const ReadTable read =
          openmpi::read_rules(openmpi::emit_rules(table, openmpi_provenance()).text);
      EXPECT_TRUE(read.faults.empty());
      return variants_of(read)({.collective = collective, .procs = 4, .message = {8}});
    };
    EXPECT_EQ(first(library_table({library_rule(collective, 4, 8, variant),
                                   library_rule(collective, 8, 8, "native")})),
              variant);
    EXPECT_EQ(openmpi::emit_rules(two, openmpi_provenance()).degraded.size(), 1U);
  }
}

TEST(OpenmpiRulesHazard, WhatHarmsSomeProgramsIsNamedAndAFaultUnlessItWasAllowed) {
  const tables::Table table =
      library_table({library_rule(Collective::reduce, 4, 8, "openmpi:binomial")});
  tables::Provenance provenance = openmpi_provenance();
  const Emitted rules = openmpi::emit_rules(table, provenance);
  ASSERT_EQ(rules.degraded.size(), 1U);
  EXPECT_NE(rules.degraded[0].find("wrong results for operations that do not commute"),
            std::string::npos);
  EXPECT_NE(rules.text.find(rules.degraded[0]), std::string::npos);
  const Case problem{.collective = Collective::reduce, .procs = 4, .message = {8}};
  EXPECT_EQ(variants_of(openmpi::read_rules(rules.text))(problem), kNative);

  provenance.allowed_unsafe = {"openmpi:reduce/binomial", "openmpi:reduce/chain"};
  std::string text = openmpi::emit_rules(table, provenance).text;
  EXPECT_EQ(variants_of(openmpi::read_rules(text))(problem), "openmpi:binomial");
  text.replace(text.find("openmpi:reduce/binomial,"), 24, "");
  const ReadTable read = openmpi::read_rules(text);
  ASSERT_EQ(read.faults.size(), 1U);
  EXPECT_NE(read.faults[0].reason.find("openmpi:reduce/binomial"), std::string::npos);
  EXPECT_GT(read.faults[0].line, 0);
}

TEST(OpenmpiRulesHazard, WithoutUseDynamicRulesTheFileIsIgnoredSilently) {
  const std::string text = emitted_rules();
  EXPECT_NE(text.find("export OMPI_MCA_coll_tuned_use_dynamic_rules=1\n"), std::string::npos);
  EXPECT_NE(
      text.find("--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename"),
      std::string::npos);
}

TEST(OpenmpiRulesHazard, HanComesBeforeTunedOnSeveralNodesFromFiveOn) {
  tables::Table table = openmpi_table();
  EXPECT_EQ(emitted_rules(table, "4.1.4").find("coll_han"), std::string::npos);
  const std::string one_node = emitted_rules(table, "5.0.7");
  EXPECT_EQ(one_node.find("coll_han"), std::string::npos);
  EXPECT_NE(one_node.find("coll/han decides: this table is of one"), std::string::npos);
  for (tables::Rule& rule : table.rules) rule.what.nodes = 2;
  const std::string several = emitted_rules(table, "5.0.7");
  EXPECT_NE(several.find("export OMPI_MCA_coll_han_use_dynamic_file_rules=1\n"), std::string::npos);
  EXPECT_NE(several.find("--mca coll_han_dynamic_rules_filename /path/to/openmpi_han_rules.conf"),
            std::string::npos);
  EXPECT_EQ(several.find("coll_han_priority"), std::string::npos)
      << "would take collectives from it that the table leaves alone";
  EXPECT_EQ(emitted_rules(table, "4.1.4").find("coll_han"), std::string::npos);
}

TEST(OpenmpiRulesHazard, WhatHanRunsHasNoNumberForTuned) {
  const tables::Table table =
      library_table({library_rule(Collective::bcast, 4, 8, "openmpi:binomial"),
                     library_rule(Collective::bcast, 4, 4096, "openmpi:han_simple")});
  tables::Table on_two = table;
  for (tables::Rule& rule : on_two.rules) rule.what.nodes = rule.what.procs_per_node = 2;
  const std::string text = emitted_rules(on_two, "5.0.7");
  EXPECT_EQ(text.find("han_simple"), std::string::npos) << text;
  EXPECT_NE(text.find("\n4096 0 0 0 # native\n"), std::string::npos) << text;
}

TEST(OpenmpiRulesHazard, ForcedAlgorithmsComeBeforeRulesFromFiveOn) {
  EXPECT_NE(emitted_rules(openmpi_table(), "4.1.4").find("These rules come before"),
            std::string::npos);
  EXPECT_NE(emitted_rules(openmpi_table(), "5.0.7").find("comes before these rules"),
            std::string::npos);
}

TEST(OpenmpiRulesHazard, SixMovesCommunicatorSizesOfTheOldText) {
  EXPECT_NE(rules_refusal(openmpi_table(), openmpi_provenance("6.0.0")).find("openmpi_json"),
            std::string::npos);
  const std::string text = replaced(emitted_rules(), "Open MPI v4.1.4", "Open MPI v6.0.0");
  EXPECT_TRUE(finds(openmpi::read_rules(text), 0, "by one entry"));
}

TEST(OpenmpiRulesHazard, BeforeFourOneSizesHadOtherUnits) {
  EXPECT_NE(rules_refusal(openmpi_table(), openmpi_provenance("4.0.7")).find("other units"),
            std::string::npos);
}

TEST(OpenmpiRulesHazard, TheKeyIsTheCommunicatorSizeWhateverTheMapping) {
  tables::Table table = library_table({library_rule(Collective::bcast, 4, 8, "openmpi:chain"),
                                       library_rule(Collective::bcast, 4, 8, "openmpi:binomial")});
  table.rules[1].what.mapping = Mapping::rr;
  EXPECT_NE(rules_refusal(table, openmpi_provenance()).find("differently for seq and rr"),
            std::string::npos);
  table.rules[1].what = table.rules[0].what;
  table.rules[1].what.mapping = Mapping::rr;
  EXPECT_NO_THROW((void)openmpi::emit_rules(table, openmpi_provenance()));
}

TEST(OpenmpiRulesHazard, OneProcessHasNoTunedCollectives) {
  const tables::Table table =
      library_table({library_rule(Collective::bcast, 1, 8, "openmpi:binomial"),
                     library_rule(Collective::bcast, 4, 8, "openmpi:chain")});
  const Emitted rules = openmpi::emit_rules(table, openmpi_provenance());
  ASSERT_EQ(rules.degraded.size(), 1U);
  EXPECT_NE(rules.degraded[0].find("p = 1"), std::string::npos);
}

TEST(OpenmpiRulesHazard, ACutFileIsIgnoredSilently) {
  const std::string text = emitted_rules();
  const std::string cut = text.substr(0, text.size() - 60);
  const ReadTable read = openmpi::read_rules(cut);
  ASSERT_EQ(read.faults.size(), 1U) << text_of(read);
  EXPECT_NE(read.faults[0].reason.find("was it cut?"), std::string::npos);
  EXPECT_GE(read.faults[0].line, line_with(text, "# scatter"));
}

TEST(OpenmpiRulesHazard, ACollectiveOutOfRangeIsIgnoredSilently) {
  const std::string text = with_lines("1\n22\n1\n2\n1\n0 3 0 0\n");
  EXPECT_TRUE(finds(openmpi::read_rules(text), line_with(text, "\n22\n") + 1, "above 21"));
}

}  // namespace
}  // namespace breakeven::formats
