// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/openmpi/han_rules.hpp"

#include <fmt/format.h>

#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/openmpi/testing.hpp"

namespace breakeven::formats {
namespace {

using testing::advises;
using testing::finds;
using testing::library_rule;
using testing::library_table;
using testing::line_with;
using testing::openmpi_provenance;
using testing::replaced;
using testing::text_of;
using testing::variants_of;

/// The same as measured on two nodes.
tables::Rule on_two(tables::Rule rule) {
  rule.what.nodes = 2;
  rule.what.procs_per_node = rule.what.procs / 2;
  return rule;
}

/// Of both components, with natives between, collectives that coll/han doesn't have, and one p of
/// one node.
tables::Table two_nodes_table() {
  using enum Collective;
  return library_table({
      library_rule(allreduce, 2, 8, "openmpi:recursive_doubling"),
      on_two(library_rule(allreduce, 4, 8, "openmpi:recursive_doubling")),
      on_two(library_rule(allreduce, 4, 4096, "native")),
      on_two(library_rule(allreduce, 4, 65536, "openmpi:han_simple")),
      on_two(library_rule(allreduce, 8, 8, "openmpi:rabenseifner")),
      on_two(library_rule(alltoall, 4, 8, "openmpi:pairwise")),
      on_two(library_rule(barrier, 4, 0, "openmpi:bruck")),
      on_two(library_rule(bcast, 4, 8, "native")),
      on_two(library_rule(bcast, 8, 8, "openmpi:han_simple")),
      on_two(library_rule(gather, 4, 8, "openmpi:binomial")),
      on_two(library_rule(gather, 4, 1024, "openmpi:han_intra")),
      on_two(library_rule(scatter, 4, 8, "openmpi:binomial")),
      on_two(library_rule(scatter, 8, 8, "native")),
  });
}

std::string emitted(const tables::Table& table = two_nodes_table()) {
  return openmpi::emit_han_rules(table, openmpi_provenance("5.0.7")).text;
}

std::string refusal_of(const tables::Table& table, std::string_view version) {
  try {
    return openmpi::emit_han_rules(table, openmpi_provenance(version)).text;
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// A whole file of which only the rules are not ours.
std::string with_rules(std::string_view rules) {
  const std::string text = emitted();
  return text.substr(0, text.find("\n5 # collectives") + 1) + std::string{rules};
}

TEST(OpenmpiHanRules, IsTheGoldenText) { testing::expect_golden("openmpi_han_rules", emitted()); }

TEST(OpenmpiHanRules, TogetherWithTunedsSayWhatTheTableDoesForEveryPAndSize) {
  const tables::Table table = two_nodes_table();
  const ReadTable han = openmpi::read_han_rules(emitted());
  const ReadTable tuned =
      openmpi::read_rules(openmpi::emit_rules(table, openmpi_provenance("5.0.7")).text);
  ASSERT_TRUE(han.answer) << text_of(han);
  ASSERT_TRUE(tuned.answer) << text_of(tuned);
  const auto runs = [&](const Case& problem) {
    const std::string component = variants_of(han)(problem);
    const bool handed_over = component == "openmpi:tuned" || problem.procs == 2 ||
                             problem.collective == Collective::alltoall;
    return handed_over ? variants_of(tuned)(problem) : component;
  };
  testing::expect_same_on_dense_grid(table, 2, 12, runs, [&](const Case& problem) {
    // Ranks may see different sizes of one gather, for coll/tuned alone: it has no rule there.
    const std::string choice = tables::chosen_variant(table, problem);
    return problem.collective == Collective::gather && choice == "openmpi:binomial" ? "native"
                                                                                    : choice;
  });
}

TEST(OpenmpiHanRulesHazard, WhatTheTableDoesNotTouchKeepsHan) {
  const ReadTable read = openmpi::read_han_rules(emitted());
  ASSERT_TRUE(read.answer) << text_of(read);
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const int procs : {2, 4, 9, 1000}) {
      const Case problem{.collective = collective, .procs = procs, .message = {8}};
      const bool chosen =
          procs == 4 && (collective == Collective::allreduce || collective == Collective::barrier ||
                         collective == Collective::scatter);
      EXPECT_EQ(variants_of(read)(problem), chosen ? "openmpi:tuned" : "native")
          << to_text(problem);
    }
  }
  EXPECT_EQ(emitted().find("reduce #"), emitted().find("allreduce #") + 3);
}

TEST(OpenmpiHanRulesHazard, SizesAreBlocksHereAndAllBlocksForTuned) {
  using enum Collective;
  const tables::Table table =
      library_table({on_two(library_rule(allgather, 4, 8, "openmpi:han_intra")),
                     on_two(library_rule(allgather, 4, 1024, "openmpi:han_simple"))});
  EXPECT_NE(emitted(table).find("\n1024 han @simple\n"), std::string::npos) << emitted(table);
  EXPECT_NE(emitted(table).find("allgather # by the bytes of a block"), std::string::npos);
}

TEST(OpenmpiHanRulesHazard, AFileWithoutCollectivesIsAnError) {
  const tables::Table table =
      library_table({on_two(library_rule(Collective::bcast, 4, 8, "native"))});
  const std::string text = emitted(table);
  EXPECT_TRUE(text.ends_with("1 # collectives\nbarrier\n0 # levels\n")) << text;
  const ReadTable read = openmpi::read_han_rules(text);
  ASSERT_TRUE(read.answer) << text_of(read);
  const std::string none = with_rules("0\n");
  EXPECT_TRUE(finds(openmpi::read_han_rules(none), line_with(none, "\n0\n") + 1,
                    "number of collectives is 0"));
}

TEST(OpenmpiHanRulesHazard, TheFirstCommunicatorSizeHasToBeOneAndTheFirstMessageSizeNone) {
  std::string text = with_rules("1\nbcast\n1\n2\n1\n4\n1\n0 tuned\n");
  EXPECT_TRUE(finds(openmpi::read_han_rules(text), line_with(text, "\n4\n") + 1, "unless it is 1"));
  text = with_rules("1\nbcast\n1\n2\n1\n1\n1\n64 tuned\n");
  EXPECT_TRUE(finds(openmpi::read_han_rules(text), line_with(text, "64 tuned"), "unless it is 0"));
}

TEST(OpenmpiHanRulesHazard, ComponentsAreNamesAndWorkOnSeveralNodes) {
  const auto of = [](std::string_view component) {
    return with_rules(fmt::format("1\nbcast\n1\n2\n1\n1\n1\n0 {}\n", component));
  };
  const auto line = [&](const std::string& text) { return line_with(text, "\n0 ") + 1; };
  for (const char* works : {"han", "tuned", "basic", "han @simple", "han @default"}) {
    EXPECT_TRUE(openmpi::read_han_rules(of(works)).answer) << works;
  }
  EXPECT_TRUE(finds(openmpi::read_han_rules(of("3")), line(of("3")), "is no component"));
  for (const char* absent : {"self", "libnbc", "sm", "adapt"}) {
    EXPECT_TRUE(finds(openmpi::read_han_rules(of(absent)), line(of(absent)), "coll/tuned does"));
  }
  EXPECT_TRUE(finds(openmpi::read_han_rules(of("han @ring")), line(of("han @ring")),
                    "no algorithm 'ring'"));
  EXPECT_TRUE(finds(openmpi::read_han_rules(of("tuned @simple")), line(of("tuned @simple")),
                    "a word after the last rule"));
}

TEST(OpenmpiHanRulesHazard, WhatTheLibraryWouldLookUpWronglyOrNever) {
  const auto fault = [](std::string_view rules, std::string_view words) {
    const ReadTable read = openmpi::read_han_rules(with_rules(rules));
    return finds(read, read.faults.empty() ? 0 : read.faults.front().line, words);
  };
  const std::string unused = with_rules("1\nalltoall\n1\n2\n1\n1\n1\n0 tuned\n");
  EXPECT_TRUE(advises(openmpi::read_han_rules(unused), line_with(unused, "alltoall\n1"),
                      "does nothing for alltoall"));
  EXPECT_TRUE(fault("1\nbcst\n0\n", "is no collective"));
  EXPECT_TRUE(fault("2\nbcast\n0\nbcast\n0\n", "has rules twice"));
  EXPECT_TRUE(fault("1\nbcast\n1\n3\n", "is no level"));
  EXPECT_TRUE(fault("1\nbcast\n1\n0\n1\n1\n1\n0 han\n", "can't work within"));
  EXPECT_TRUE(fault("1\nbcast\n1\n2\n3\n1\n1\n0 han\n8\n1\n0 tuned\n4\n1\n0 han\n",
                    "communicator size 4 does not ascend"));
  EXPECT_TRUE(fault("1\nbcast\n1\n2\n1\n1\n2\n0 han\n0 tuned\n", "message size 0 does not ascend"));
  EXPECT_TRUE(fault("1\nbcast\n1\n2\n1\n1\n1\n0 han\n7\n", "after the last rule"));
}

TEST(OpenmpiHanRules, AreTakenApartAsTheLibraryDoes) {
  const auto variant = [](std::string_view rules) {
    const ReadTable read = openmpi::read_han_rules(with_rules(rules));
    return read.answer ? variants_of(read)({.collective = Collective::reduce, .procs = 4})
                       : text_of(read);
  };
  for (const char* rules :
       {"1\nreduce 1 2 1 1 1\n0 han @reproducible", "1 11 01 2 1 1 1 0 han @ 3 [ 8 9]",
        "01 # one\nreduce\nx1 +2 1 1 0x1 # one\n0 han # none\n@reproducible [8"}) {
    EXPECT_EQ(variant(rules), "openmpi:han_reproducible") << rules;
  }
  EXPECT_EQ(variant("2 neighbor_alltoallvx 0 scatterv 1 2 1 1 1 0 tuned"), kNative);
  for (const char* rules :
       {"1 reduce#now 0", "1 scattervx 0", "1 reduce 1 2 1 1 1 0 tuned#now", "1 reduce 1 2 1 1 -1",
        "1 reduce 1 2 1 1 2 0 tuned -1 tuned 7", "1 reduce 1 2 1 1 1 0 han @4"}) {
    EXPECT_FALSE(openmpi::read_han_rules(with_rules(rules)).answer) << rules;
  }
}

TEST(OpenmpiHanRulesHazard, ACutFileLosesAllRules) {
  const std::string text = emitted();
  const std::size_t rules = text.find("\n5 # collectives");
  for (std::size_t size = rules + 3; size + 1 < text.rfind(" # native"); ++size) {
    EXPECT_FALSE(openmpi::read_han_rules(text.substr(0, size)).answer) << text.substr(0, size);
  }
}

TEST(OpenmpiHanRulesHazard, OnlyFiveAndSixHaveThemAndOnlySeveralNodesNeedThem) {
  for (const char* other : {"4.1.4", "7.0.0"}) {
    EXPECT_NE(refusal_of(two_nodes_table(), other).find("Open MPI 5 to 6"), std::string::npos);
  }
  const tables::Table one = library_table({library_rule(Collective::bcast, 4, 8, "native")});
  EXPECT_NE(refusal_of(one, "5.0.7").find("this table is of one"), std::string::npos);
  const std::string text = replaced(emitted(), "Open MPI v5.0.7", "Open MPI v4.1.4");
  EXPECT_TRUE(finds(openmpi::read_han_rules(text), 0, "Open MPI 5 to 6"));
}

TEST(OpenmpiHanRules, AreToldFromTuneds) {
  const std::string tuned =
      openmpi::emit_rules(two_nodes_table(), openmpi_provenance("5.0.7")).text;
  EXPECT_TRUE(openmpi::is_rules(tuned) && !openmpi::is_han_rules(tuned));
  EXPECT_TRUE(openmpi::is_han_rules(emitted()) && !openmpi::is_rules(emitted()));
  EXPECT_TRUE(openmpi::is_han_rules("1 7 1 2 1 1 1 0 tuned"));
}

}  // namespace
}  // namespace breakeven::formats
