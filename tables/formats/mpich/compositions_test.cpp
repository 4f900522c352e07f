// SPDX-License-Identifier: BSD-3-Clause
// News of MPICH 4.1: the device's compositions as choices, and algorithms with parameters.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <tuple>

#include "core/error.hpp"
#include "tables/formats/mpich/cvars.hpp"
#include "tables/formats/mpich/json.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/testing.hpp"

namespace breakeven::formats {
namespace {

using mpich::Call;
using mpich::Hierarchy;
using testing::advises;
using testing::leaf_for;
using testing::library_table;
using testing::mpich_4_2_provenance;
using testing::mpich_4_2_table;
using testing::mpich_rule;
using testing::tree_of;
using testing::variants_of;

/// A call of `count` ints by four processes on two nodes.
Call call(std::string collective, std::int64_t count) {
  return {.collective = std::move(collective),
          .procs = 4,
          .nodes = 2,
          .hierarchy = Hierarchy::parent,
          .node_consecutive = true,
          .count = count,
          .extent = 4};
}

tables::Table one_choice(Collective collective, const std::string& variant, int nodes = 2) {
  return library_table({mpich_rule(collective, variant, 4, 8, Mapping::seq, nodes)});
}

mpich::Chain ch4_tree(const tables::Table& table) {
  return tree_of(mpich::emit_ch4_json(table, mpich_4_2_provenance()).text);
}
mpich::Chain own_ch4_tree() { return tree_of(testing::testdata("mpich-4.2.1-ch4.json")); }

std::string all_degraded(const Emitted& emitted) {
  return fmt::format("{}", fmt::join(emitted.degraded, "\n"));
}

TEST(MpichCompositions, AreInTheGoldenTextOfTheDevicesFile) {
  testing::expect_golden("mpich_4_2_ch4_coll",
                         mpich::emit_ch4_json(mpich_4_2_table(), mpich_4_2_provenance()).text);
}
TEST(MpichCompositions, AreLeftToTheDevicesFileInTheGoldenText) {
  testing::expect_golden("mpich_4_2_coll",
                         mpich::emit_json(mpich_4_2_table(), mpich_4_2_provenance()).text);
}
TEST(MpichCompositions, AreNumbersInTheGoldenTextOfVariables) {
  testing::expect_golden("mpich_4_2_cvars",
                         mpich::emit_cvars(mpich_4_2_table(), mpich_4_2_provenance()).text);
}

/// Both files together say what the table does: the MPIR file the algorithms, the device's file
/// these and the compositions.
TEST(MpichCompositions, AnswerAsTheTableDoesOnADenseGrid) {
  const tables::Table table = mpich_4_2_table();
  const ReadTable mpir = mpich::read_json(mpich::emit_json(table, mpich_4_2_provenance()).text);
  const ReadTable ch4 =
      mpich::read_ch4_json(mpich::emit_ch4_json(table, mpich_4_2_provenance()).text);
  ASSERT_TRUE(mpir.faults.empty());
  ASSERT_TRUE(ch4.faults.empty());
  int compositions = 0;
  for (const auto& collective : kCollectives.entries) {
    for (int procs = 2; procs <= 6; procs += 2) {
      for (std::int64_t bytes = 0; bytes <= 200000; bytes = bytes * 9 / 8 + 4) {
        const Case problem{.collective = collective.value,
                           .procs = procs,
                           .nodes = 2,
                           .procs_per_node = procs / 2,
                           .message = {bytes / 4 * 4}};
        const tables::Choice choice = table.choose(problem);
        const Case what = with_variant(problem, choice.variant);
        const bool composition =
            choice.variant.algorithm().find("composition_") != std::string::npos;
        compositions += composition ? 1 : 0;
        const bool flat = !composition && (!choice.variant.is<Native>() ||
                                           (variants_of(ch4)(problem) == "mpich:flat" &&
                                            testing::flat_anyway(mpich_4_2_provenance(), problem)));
        ASSERT_EQ(variants_of(ch4)(problem), flat ? "mpich:flat" : to_text(what.variant))
            << to_text(what);
        ASSERT_EQ(variants_of(mpir)(problem),
                  composition ? std::string{kNative} : to_text(what.variant))
            << to_text(what);
      }
    }
  }
  EXPECT_GT(compositions, 100);
}

TEST(MpichHazard, OperationThatDoesNotCommuteKeepsTheDevicesOwnForm) {
  for (const auto& [collective, letter] : {std::pair{Collective::allreduce, "alpha"},
                                           {Collective::reduce, "alpha"},
                                           {Collective::reduce, "beta"}}) {
    const mpich::Chain tree =
        ch4_tree(one_choice(collective, fmt::format("composition_{}", letter)));
    Call made = call(std::string{kCollectives.of(collective)}, 1024);
    EXPECT_TRUE(leaf_for(tree, made).ends_with(letter));
    made.commutative = made.built_in = false;
    EXPECT_EQ(leaf_for(tree, made), leaf_for(own_ch4_tree(), made));
    EXPECT_FALSE(leaf_for(tree, made).ends_with(letter));
  }
}

TEST(MpichHazard, CompositionOfLevelsIsNotForOneProcessOnEachNode) {
  const mpich::Chain tree = ch4_tree(one_choice(Collective::bcast, "composition_beta"));
  Call made = call("bcast", 16);
  EXPECT_TRUE(leaf_for(tree, made).ends_with("beta"));
  made.hierarchy = Hierarchy::flat;
  made.nodes = 4;
  made.node_consecutive = false;
  EXPECT_TRUE(leaf_for(tree, made).ends_with("gamma"));
}

TEST(MpichHazard, CompositionThatWasMeasuredOnSeveralNodesIsNotForOne) {
  const mpich::Chain tree = ch4_tree(one_choice(Collective::reduce, "composition_alpha"));
  Call made = call("reduce", 16);
  EXPECT_TRUE(leaf_for(tree, made).ends_with("alpha"));
  made.nodes = 1;
  EXPECT_EQ(leaf_for(tree, made), leaf_for(own_ch4_tree(), made));
  EXPECT_FALSE(leaf_for(tree, made).ends_with("alpha"));
}

TEST(MpichHazard, CompositionOfOneNodeIsNotForSeveral) {
  const mpich::Chain tree = ch4_tree(one_choice(Collective::allreduce, "composition_gamma", 1));
  Call made = call("allreduce", 16);
  made.nodes = 1;
  EXPECT_TRUE(leaf_for(tree, made).ends_with("gamma"));
  made.nodes = 2;
  EXPECT_TRUE(leaf_for(tree, made).ends_with("alpha"));
}

TEST(MpichHazard, CompositionThatFailsForSomeProgramsIsInNoTable) {
  for (const auto& [collective, letter, words] :
       {std::tuple{Collective::allgather, "alpha", "ends the program for datatypes with gaps"},
        {Collective::allreduce, "delta", "wrong results for operations of users"},
        {Collective::alltoall, "alpha", "wrong results for datatypes with gaps"}}) {
    const tables::Table table = one_choice(collective, fmt::format("composition_{}", letter));
    for (const auto& emit : {mpich::emit_ch4_json, mpich::emit_json, mpich::emit_cvars}) {
      const Emitted emitted = emit(table, mpich_4_2_provenance());
      EXPECT_NE(all_degraded(emitted).find(words), std::string::npos) << words;
      EXPECT_EQ(emitted.text.find("by=breakeven\""), emitted.text.rfind("by=breakeven\"")) << words;
      EXPECT_EQ(emitted.text.find("export MPIR_CVAR_AL"), std::string::npos) << words;
    }
    const ReadTable read =
        mpich::read_ch4_json(mpich::emit_ch4_json(table, mpich_4_2_provenance()).text);
    EXPECT_EQ(variants_of(read)(table.rules.front().what), kNative) << words;
  }
  const ReadTable read = mpich::read_ch4_json(
      "/* MPICH Version: 4.2.1 */ {\"collective=allgather\": {\"comm_type=intra\": "
      "{\"composition=MPIDI_Allgather_intra_composition_alpha\": {}}}}");
  ASSERT_FALSE(read.faults.empty());
  EXPECT_NE(read.faults.front().reason.find("ends the program"), std::string::npos);
}

TEST(MpichHazard, CompositionIsNoneOfAVersionWithoutItsVariable) {
  const tables::Table table = one_choice(Collective::allreduce, "composition_alpha");
  for (const auto& emit : {mpich::emit_ch4_json, mpich::emit_json, mpich::emit_cvars}) {
    EXPECT_THROW((void)emit(table, testing::mpich_provenance()), UsageError);
  }
}

TEST(MpichHazard, CompositionWithoutItsGuardsIsAFault) {
  const auto fault = [](std::string_view chain) {
    const ReadTable read = mpich::read_ch4_json(
        fmt::format("/* MPICH Version: 4.2.1 */ {{\"collective=allreduce\": {}}}", chain));
    return read.faults.empty() ? std::string{"none"} : read.faults.front().reason;
  };
  EXPECT_EQ(fault(R"({"composition=MPIDI_Allreduce_intra_composition_beta": {}})"), "none");
  EXPECT_EQ(fault(R"({"composition=MPIDI_Allreduce_intra_composition_alpha": {}})"),
            "'composition=MPIDI_Allreduce_intra_composition_alpha' is only for is_commutative=yes, "
            "and nothing asks for it");
  // That one ends the program in MPI_Init.
  EXPECT_EQ(fault(R"({"composition=MPIDI_Allreduce_intra_composition_delta": {}})"),
            "this version of MPICH has no 'composition=MPIDI_Allreduce_intra_composition_delta'");
  EXPECT_EQ(fault(R"({"composition=MPIDI_Allreduce_intra_composition_gamma": {}})"),
            "'composition=MPIDI_Allreduce_intra_composition_gamma' is only for "
            "comm_size=node_comm_size, and nothing asks for it");
}

TEST(MpichRead, DevicesTreeOfBothVersionsHasNoFault) {
  for (const char* version : {"4.0.2", "4.2.1"}) {
    const ReadTable read =
        mpich::read_ch4_json(testing::testdata(fmt::format("mpich-{}-ch4.json", version)));
    EXPECT_TRUE(read.faults.empty()) << version << read.faults.front().reason;
  }
  EXPECT_TRUE(mpich::read_json(testing::testdata("mpich-4.2.1-mpir.json")).faults.empty());
}

TEST(MpichHazard, ParameterThatMpichReadsFromNoFileIsNamed) {
  const tables::Table table = one_choice(Collective::barrier, "recexch:radix=4");
  const Emitted emitted = mpich::emit_json(table, mpich_4_2_provenance());
  EXPECT_NE(all_degraded(emitted).find("leaves them to chance"), std::string::npos);
  EXPECT_EQ(emitted.text.find("single_phase_recv"), std::string::npos);
}

std::string fault_in_compositions(std::string_view text) {
  const ReadTable read = mpich::read_cvars("# MPICH Version: 4.2.1\n" + std::string{text});
  if (read.faults.empty()) return "none";
  return fmt::format("{}: {}", read.faults.front().line, read.faults.front().reason);
}

TEST(MpichCvars, OfCompositionsAndParametersHaveNoFault) {
  for (const auto& [collective, variant, line] :
       {std::tuple{Collective::allreduce, "composition_alpha", "ALLREDUCE_COMPOSITION=1"},
        {Collective::bcast, "pipelined_tree:radix=4,segment_bytes=1024", "=1024"},
        {Collective::barrier, "recexch:radix=4", "BARRIER_RECEXCH_KVAL=4"},
        {Collective::reduce, "composition_gamma", "REDUCE_COMPOSITION=3"}}) {
    const Emitted emitted =
        mpich::emit_cvars(one_choice(collective, variant), mpich_4_2_provenance());
    EXPECT_NE(emitted.text.find(fmt::format("{}\n", line)), std::string::npos) << emitted.text;
    EXPECT_TRUE(mpich::read_cvars(emitted.text).faults.empty()) << emitted.text;
  }
}

TEST(MpichCvars, WithSeveralParametersAreSeveralAlgorithms) {
  const tables::Table table = library_table({mpich_rule(Collective::bcast, "tree:radix=4", 4, 8),
                                             mpich_rule(Collective::bcast, "tree", 4, 1024)});
  EXPECT_NE(all_degraded(mpich::emit_cvars(table, mpich_4_2_provenance())).find("bcast: skipped"),
            std::string::npos);
}

TEST(MpichHazard, VariableOfACompositionHoldsByItself) {
  EXPECT_EQ(fault_in_compositions("export MPIR_CVAR_ALLREDUCE_COMPOSITION=1\n"), "none");
  EXPECT_TRUE(advises(mpich::read_cvars("export MPIR_CVAR_ALLREDUCE_COMPOSITION=1\n"
                                        "export MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0\n"),
                      1, "the device's own form is off: its composition does not run"));
  EXPECT_TRUE(
      advises(mpich::read_cvars("export MPIR_CVAR_ALLREDUCE_COMPOSITION=2\n"
                                "export MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=smp\n"),
              1, "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM is set as well: the composition's steps"));
  EXPECT_TRUE(advises(mpich::read_cvars("export MPIR_CVAR_ALLREDUCE_COMPOSITION=5\n"), 1,
                      "allreduce has 4 compositions, and no number 5: the library chooses"));
  EXPECT_EQ(fault_in_compositions("export MPIR_CVAR_ALLREDUCE_COMPOSITION=alpha\n"),
            "2: 'alpha' is no number of at least 0");
  EXPECT_TRUE(advises(mpich::read_cvars("export MPIR_CVAR_GATHER_COMPOSITION=1\n"), 1,
                      "no MPICH that is known here has MPIR_CVAR_GATHER_COMPOSITION"));
  EXPECT_EQ(
      fault_in_compositions("export MPIR_CVAR_ALLGATHER_COMPOSITION=1\n"),
      "2: mpich:allgather/composition_alpha is not for every program that MPI permits: ends the "
      "program for datatypes with gaps");
  EXPECT_EQ(mpich::read_cvars("# MPICH Version: 4.0.2\nexport MPIR_CVAR_BCAST_COMPOSITION=1\n")
                .faults.at(0)
                .reason,
            "this version of MPICH has no variables for compositions");
}

TEST(MpichHazard, VariableOfAParameterIsOfNoUseAlone) {
  EXPECT_TRUE(advises(mpich::read_cvars("export MPIR_CVAR_ALLREDUCE_RECEXCH_KVAL=4\n"), 1,
                      "MPIR_CVAR_ALLREDUCE_RECEXCH_KVAL is of no use with the algorithm that the "
                      "file sets, if any"));
  EXPECT_EQ(fault_in_compositions("export MPIR_CVAR_ALLREDUCE_RECEXCH_KVAL=x\n"),
            "2: 'x' is no number of at least 1");
}

}  // namespace
}  // namespace breakeven::formats
