// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/cvars.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "tables/formats/mpich/testing.hpp"

namespace breakeven::formats {
namespace {

using testing::library_table;
using testing::mpich_provenance;
using testing::mpich_rule;
using testing::mpich_table;
using testing::variants_of;

std::string fault_in(std::string_view text) {
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
  EXPECT_EQ(fault_in(text), "none");
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
  ASSERT_TRUE(read.answer) << fault_in(text);
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
  EXPECT_EQ(fault_in("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\r\n").substr(0, 39),
            "1: the line ends in a carriage return, ");
}

TEST(MpichHazard, DeviceThatIsOffWithoutAnAlgorithmIsALostLine) {
  EXPECT_EQ(fault_in("export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n"),
            "1: the device's own form is off, but no MPIR_CVAR_BCAST_INTRA_ALGORITHM says what "
            "runs instead");
}

TEST(MpichCvars, CollectiveWithSeveralAlgorithmsIsSkippedAndNamed) {
  const Emitted emitted = mpich::emit_cvars(mpich_table(), mpich_provenance());
  ASSERT_EQ(emitted.degraded.size(), 8U);
  EXPECT_EQ(emitted.degraded.front(),
            "allgather: skipped, for a variable can name one algorithm alone, and the table has "
            "several");
  EXPECT_EQ(emitted.text.find("ALLGATHER_INTRA"), std::string::npos);
}

TEST(MpichHazard, VariableIsOfNoUseWithTheDevicesOwnForm) {
  const std::string text = mpich::emit_cvars(one_algorithm(), mpich_provenance()).text;
  EXPECT_NE(text.find("export MPIR_CVAR_GATHERV_DEVICE_COLLECTIVE=0\n"), std::string::npos);
  EXPECT_EQ(fault_in("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n"),
            "1: MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0 is missing: without it the device's own form "
            "may run instead");
  EXPECT_EQ(fault_in("export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=1\n"),
            "1: MPIR_CVAR_BCAST_DEVICE_COLLECTIVE is 1, not 0");
}

TEST(MpichHazard, VariableOrNameThatTheVersionDoesNotKnow) {
  const std::string head = "# MPICH Version: 4.0.2\n";
  EXPECT_EQ(fault_in(head + "export MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring\n"),
            "2: this version of MPICH has no allreduce 'ring': it would end at MPI_Init");
  EXPECT_EQ(fault_in("# MPICH Version: 4.2.1\n"
                     "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=tree\n"
                     "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n"),
            "none");
  EXPECT_EQ(fault_in(head + "export MPICH_CVAR_BCAST_INTRA_ALGORITHM=nb\n"),
            "2: no variable 'MPICH_CVAR_BCAST_INTRA_ALGORITHM' is known");
  EXPECT_EQ(fault_in("rm -r /\n"), "1: 'rm -r /' is not 'export VARIABLE=VALUE'");
  EXPECT_EQ(fault_in("# MPICH Version: 3.4\n"),
            "0: it is for MPICH 3.4, whose names aren't known here; known: 4.0, 4.2, 4.3 and 5.0");
}

TEST(MpichCvars, NothingIsSetTwice) {
  EXPECT_EQ(fault_in("export MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\n"
                     "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n"
                     "export MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0\n"),
            "2: it was set before");
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
