// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/cvars.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "tables/formats/mpich/testing.hpp"

namespace breakeven::formats {
namespace {

using testing::advises;
using testing::finds;
using testing::library_table;
using testing::mpich_provenance;
using testing::mpich_rule;
using testing::mpich_table;
using testing::variants_of;

std::string fault_in_variables(std::string_view text) {
  const ReadTable read = mpich::read_cvars(text);
  if (read.faults.empty()) return "none";
  return std::to_string(read.faults.front().line) + ": " + read.faults.front().reason;
}

tables::Table one_algorithm() {
  return library_table({mpich_rule(Collective::allgather, "recursive_doubling", 2, 8),
                        mpich_rule(Collective::allgather, "recursive_doubling", 4, 8),
                        mpich_rule(Collective::gatherv, "nb", 4, 8),
                        mpich_rule(Collective::reduce, "native", 4, 8)});
}

TEST(MpichCvars, IsTheGoldenText) {
  testing::expect_golden("mpich_cvars", mpich::emit_cvars(mpich_table(), mpich_provenance()).text);
}

TEST(MpichCvars, SetTheOneAlgorithmOfEachCollective) {
  const std::string text = mpich::emit_cvars(one_algorithm(), mpich_provenance()).text;
  EXPECT_EQ(fault_in_variables(text), "none");
  EXPECT_EQ(text.substr(text.find("export ")),
            "export MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=recursive_doubling\n"
            "export MPIR_CVAR_ALLGATHER_DEVICE_COLLECTIVE=0\n"
            "export MPIR_CVAR_GATHERV_INTRA_ALGORITHM=nb\n"
            "export MPIR_CVAR_GATHERV_DEVICE_COLLECTIVE=0\n");
}

TEST(MpichCvars, AnswerWithParametersAndNumbersAsTheTableDoes) {
  const tables::Table table =
      library_table({mpich_rule(Collective::barrier, "k_dissemination:radix=4", 4, 0),
                     mpich_rule(Collective::reduce, "composition_gamma", 4, 8),
                     mpich_rule(Collective::reduce_scatter_block, "recursive_halving", 4, 8)});
  const std::string text = mpich::emit_cvars(table, testing::mpich_4_2_provenance()).text;
  const ReadTable read = mpich::read_cvars(text);
  ASSERT_TRUE(read.answer) << fault_in_variables(text);
  testing::expect_table_on_dense_grid(table, 4, 4, testing::variants_of(read));
  const Answer composition = read.answer({.collective = Collective::reduce, .procs = 4});
  EXPECT_EQ(composition.number, 3);
  EXPECT_EQ(composition.line, testing::line_with(text, "REDUCE_COMPOSITION"));
  const Answer halving = read.answer({.collective = Collective::reduce_scatter_block, .procs = 4});
  EXPECT_EQ(halving.notes.at(0), "MPICH decides itself for operations that do not commute");
}

TEST(MpichCvars, WhereTheAlgorithmCannotRunTheLibraryDecides) {
  const ReadTable read = mpich::read_cvars(
      "export MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=recursive_doubling\n"
      "export MPIR_CVAR_ALLGATHER_DEVICE_COLLECTIVE=0\n");
  const Case problem{.collective = Collective::allgather, .procs = 6, .message = {8}};
  EXPECT_EQ(variants_of(read)(problem), kNative);
  EXPECT_EQ(read.answer(problem).notes.at(0),
            "MPICH decides itself instead of mpich:allgather/recursive_doubling, which needs p a "
            "power of two");
}

TEST(MpichHazard, LineEndsOfWindowsBecomePartOfAValue) {
  EXPECT_EQ(fault_in_variables("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\r\n").substr(0, 39),
            "1: the line ends in a carriage return, ");
}

TEST(MpichHazard, DeviceThatIsOffWithoutAnAlgorithmIsALostLine) {
  const ReadTable read = mpich::read_cvars("export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n");
  EXPECT_TRUE(advises(read, 1,
                      "the device's own form is off, and no MPIR_CVAR_BCAST_INTRA_ALGORITHM says "
                      "what runs instead: the library chooses"));
  EXPECT_EQ(variants_of(read)({.collective = Collective::bcast, .procs = 4}), kNative);
}

TEST(MpichCvars, CollectiveWithSeveralAlgorithmsIsSkippedAndNamed) {
  const Emitted emitted = mpich::emit_cvars(mpich_table(), mpich_provenance());
  ASSERT_EQ(emitted.degraded.size(), 8U);
  EXPECT_EQ(emitted.degraded.front(),
            "allgather: skipped: a variable can name only one algorithm, and the table has "
            "several");
  EXPECT_EQ(emitted.text.find("ALLGATHER_INTRA"), std::string::npos);
}

TEST(MpichHazard, VariableIsOfNoUseWithTheDevicesOwnForm) {
  const std::string text = mpich::emit_cvars(one_algorithm(), mpich_provenance()).text;
  EXPECT_NE(text.find("export MPIR_CVAR_GATHERV_DEVICE_COLLECTIVE=0\n"), std::string::npos);
  const std::string alone = "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n";
  for (const char* on : {"", "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=yes\n"}) {
    EXPECT_TRUE(advises(mpich::read_cvars(alone + on), 1,
                        "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0 is missing: the device's own form "
                        "may run instead"));
  }
  EXPECT_EQ(fault_in_variables("export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=2\n"),
            "1: '2' is no value of MPIR_CVAR_BCAST_DEVICE_COLLECTIVE: MPI_Init would end the "
            "program");
}

TEST(MpichHazard, VariableOrNameThatTheVersionDoesNotKnow) {
  const std::string head = "# MPICH Version: 4.0.2\n";
  EXPECT_EQ(fault_in_variables(head + "export MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring\n"),
            "2: this version of MPICH has no allreduce 'ring': it would end at MPI_Init");
  EXPECT_EQ(fault_in_variables("# MPICH Version: 4.2.1\n"
                               "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=tree\n"
                               "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n"),
            "none");
  EXPECT_EQ(fault_in_variables("export MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=fastest\n"),
            "1: no MPICH that is known here (4.0, 4.2, 4.3 and 5.0) has allreduce 'fastest': it "
            "would end at "
            "MPI_Init");
  EXPECT_TRUE(advises(mpich::read_cvars("export MPIR_CVAR_ALL_REDUCE_INTRA_ALGORITHM=ring\n"), 1,
                      "no MPICH that is known here has MPIR_CVAR_ALL_REDUCE_INTRA_ALGORITHM"));
  EXPECT_EQ(fault_in_variables("# MPICH Version: 3.4\n"),
            "0: it is for MPICH 3.4, whose names aren't known here; known: 4.0, 4.2, 4.3 and 5.0");
}

/// The advice for a script and what it chooses for bcast, by lines.
std::string bcast_by(std::string_view script) {
  const ReadTable read = mpich::read_cvars(script);
  if (!read.answer) return testing::text_of(read);
  return testing::text_of(read) +
         variants_of(read)({.collective = Collective::bcast, .procs = 4, .message = {8}});
}

constexpr std::string_view kBinomial = "mpich:binomial";

TEST(MpichCvars, AreReadAsAShellDoes) {
  for (const std::string_view script : {
           "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0 MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial",
           "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0; MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n"
           "export MPIR_CVAR_BCAST_INTRA_ALGORITHM MPIR_CVAR_BCAST_DEVICE_COLLECTIVE",
           "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE MPIR_CVAR_BCAST_INTRA_ALGORITHM\n"
           "  MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=no MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial",
           "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE='0' && \\\n"
           "\texport MPIR_CVAR_BCAST_INTRA_ALGORITHM=\"bi\"nomial # it's the \"best\" \\\n",
           "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0 MPIR_CVAR_BCAST_INTRA_ALGORITHM=fastest\n"
           "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial",
           "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial MPIR_CVAR_DEVICE_COLLECTIVES=none",
       }) {
    EXPECT_EQ(bcast_by(script), kBinomial) << script;
  }
  EXPECT_EQ(bcast_by("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=ring MPIR_CVAR_BCAST_COMPOSITION=x\n"
                     "unset MPIR_CVAR_BCAST_INTRA_ALGORITHM MPIR_CVAR_BCAST_COMPOSITION\n"),
            kNative);
}

TEST(MpichCvars, OtherCommandsAndVariablesAreLeftAlone) {
  EXPECT_EQ(bcast_by("#!/bin/sh\n\nset -e; module load mpich\n"
                     "export PATH=$HOME/bin:$PATH FI_PROVIDER=`provider` A=\"b\nc # d\"\n"
                     "if test -n \"$DEBUG\"; then\n  set -x\nfi\n"
                     "export MPICH_OFI_NIC_POLICY=NUMA MPIR_CVAR_ENABLE_GPU=1\n"
                     "export MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM=mpir\n"
                     "export MPIR_CVAR_IBCAST_INTRA_ALGORITHM=sched_auto\n"
                     "export MPIR_CVAR_NEIGHBOR_ALLGATHER_INTRA_ALGORITHM=nb\n"
                     "export MPIR_CVAR_BCAST_INTER_ALGORITHM=nb MPIR_CVAR_BCAST_SHORT_MSG_SIZE=8\n"
                     "export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=\"$PWD/coll.json\"\n"
                     "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=auto\n"
                     "echo \"bcast: $MPIR_CVAR_BCAST_INTRA_ALGORITHM\"\n"),
            kNative);
}

TEST(MpichHazard, CommandThatMayChangeAVariableIsNamed) {
  const std::string line = "MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb";
  for (const std::string& script :
       {"\nif true; then\nexport " + line + "\nfi", "\nset() {\nexport " + line + "\n}",
        "\ntrue &&\nexport " + line, "for i in 1 2\ndo\nexport " + line + "\ndone",
        "\n\nmpiexec -genv " + line, "\n\nexport \"" + line + "$SUFFIX\"", "\n\nexport -n " + line,
        "\n\nenv " + line + " ./a.out", "\n\nexport '" + line}) {
    EXPECT_TRUE(advises(mpich::read_cvars(script), 3, "not understood: ")) << script;
  }
  EXPECT_EQ(bcast_by("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=$A MPIR_CVAR_DEVICE_COLLECTIVES=$B\n"
                     "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n"
                     "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n"),
            fmt::format("1: not understood: MPIR_CVAR_DEVICE_COLLECTIVES=$B\n{}", kBinomial));
  EXPECT_TRUE(advises(mpich::read_cvars("A=1\n" + line), 2,
                      "MPIR_CVAR_BCAST_INTRA_ALGORITHM is not exported: programs don't see it"));
}

TEST(MpichHazard, CommandThatAShellRunsApartOrDoesNotFollowIsNamed) {
  const std::string set = "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb";
  for (const std::string& script :
       {set + " | cat", set + " &", "A=1 || " + set, "( " + set + " )", "true | " + set,
        set + " > file", "cat << E\n" + set + "\nE", set + "; A='", "|| A=1\n" + set,
        "A(=1\n" + set, ")\n" + set, "A=`b\n" + set, "A[=1\n" + set, "A=\"$(b\"\n" + set,
        set + " && # it"}) {
    EXPECT_FALSE(mpich::read_cvars(script).advice.empty()) << script;
    EXPECT_NE(bcast_by(script).find("not understood: "), std::string::npos) << script;
  }
  EXPECT_EQ(bcast_by("export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n"
                     "A=$(b \"c\") d 2>&1 | e > f && true\ncase $B in\n  x) A=b ;;\nesac\n"
                     "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial # (it's)\n"),
            kBinomial);
  EXPECT_NE(bcast_by("export MPIR_CVAR_DEVICE_COLLECTIVES=\"no\\ne\"").find("'no\\ne' is no value"),
            std::string::npos);
}

TEST(MpichHazard, VariableForAllCollectivesComesFirst) {
  const std::string algorithm = "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n";
  const std::string off = "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n";
  const std::string devices = "export MPIR_CVAR_DEVICE_COLLECTIVES=";
  EXPECT_EQ(bcast_by(algorithm + devices + "none\n"), kBinomial);
  EXPECT_EQ(bcast_by(algorithm + off + devices + "percoll\n"), kBinomial);
  EXPECT_TRUE(advises(mpich::read_cvars(algorithm + off + devices + "all\n"), 1,
                      "MPIR_CVAR_DEVICE_COLLECTIVES=all: the device's own form may run instead"));
  EXPECT_TRUE(
      advises(mpich::read_cvars("export MPIR_CVAR_BCAST_COMPOSITION=1\n" + devices + "none\n"), 1,
              "the device's own form is off: its composition does not run"));
  EXPECT_TRUE(finds(mpich::read_cvars(devices + "some\n"), 1,
                    "'some' is no value of MPIR_CVAR_DEVICE_COLLECTIVES"));
}

TEST(MpichCvars, OtherLibrariesAreRefused) {
  EXPECT_THROW(
      (void)mpich::emit_cvars(library_table({{.what = tables::testing::allreduce("ring", 4, 8)}}),
                              mpich_provenance()),
      Error);
  tables::Provenance other = mpich_provenance();
  other.machine.library_version = "Open MPI v4.1.4";
  EXPECT_THROW((void)mpich::emit_cvars(one_algorithm(), other), UsageError);
}

}  // namespace
}  // namespace breakeven::formats
