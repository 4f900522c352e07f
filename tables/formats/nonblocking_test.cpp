// SPDX-License-Identifier: BSD-3-Clause
// Choices for nonblocking calls, in every format of an MPI library that can express them.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "tables/formats/mpich/cvars.hpp"
#include "tables/formats/mpich/json.hpp"
#include "tables/formats/mpich/testing.hpp"
#include "tables/formats/openmpi/params.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/openmpi/testing.hpp"
#include "tables/formats/own/json.hpp"

namespace breakeven::formats {
namespace {

using testing::finds;
using testing::library_rule;
using testing::library_table;
using testing::mpich_provenance;
using testing::mpich_rule;
using testing::openmpi_provenance;

tables::Rule nonblocking(tables::Rule rule) {
  rule.what.form = CallForm::nonblocking;
  return rule;
}

Case problem_of(Collective collective, CallForm form, int procs, std::int64_t bytes) {
  return {.collective = collective,
          .form = form,
          .procs = procs,
          .nodes = 1,
          .procs_per_node = procs,
          .message = {bytes},
          .op = reduces(collective) ? Op::sum : Op::none};
}

std::string answer_of(const ReadTable& read, const Case& problem) {
  EXPECT_TRUE(read.faults.empty()) << testing::text_of(read);
  return to_text(read.answer(problem).variant);
}

/// Blocking and nonblocking choices differ, at some p and sizes.
tables::Table mpich_choices() {
  return library_table({
      mpich_rule(Collective::allreduce, "recursive_doubling", 4, 8),
      nonblocking(mpich_rule(Collective::allreduce, "sched_recursive_doubling", 2, 8)),
      nonblocking(mpich_rule(Collective::allreduce, "tsp_tree", 4, 8)),
      nonblocking(mpich_rule(Collective::allreduce, "sched_reduce_scatter_allgather", 4, 4096)),
      nonblocking(mpich_rule(Collective::allreduce, "native", 4, 65536)),
      nonblocking(mpich_rule(Collective::alltoall, "sched_pairwise", 4, 8)),
      mpich_rule(Collective::barrier, "dissemination", 4, 0),
      nonblocking(mpich_rule(Collective::bcast, "sched_binomial", 2, 8)),
      nonblocking(mpich_rule(Collective::bcast, "tsp_ring", 2, 4096)),
      nonblocking(mpich_rule(Collective::scatterv, "sched_linear", 4, 8)),
  });
}

TEST(NonblockingMpich, TreesAnswerAsTheTable) {
  const tables::Table table = mpich_choices();
  const Emitted emitted = mpich::emit_json(table, mpich_provenance());
  const ReadTable read = mpich::read_json(emitted.text);
  for (const tables::Rule& rule : table.rules) {
    for (const std::int64_t bytes : {8, 64, 4096, 65536}) {
      Case problem = without_algorithm(rule.what);
      problem.message = {moves_data(problem.collective) ? bytes : 0};
      EXPECT_EQ(answer_of(read, problem), to_text(tables::chosen(table, problem).variant))
          << call_name(problem.collective, problem.form) << ' ' << bytes;
    }
  }
  // A leaf of the generic transport has its parameters: the library would leave them to chance.
  EXPECT_NE(emitted.text.find("tree_type=0"), std::string::npos);
}

TEST(NonblockingMpich, TreesGuardOperationsAndPlace) {
  const mpich::Chain tree =
      testing::tree_of(mpich::emit_json(mpich_choices(), mpich_provenance()).text);
  mpich::Call call = mpich::call_of(
      problem_of(Collective::allreduce, CallForm::nonblocking, 4, std::int64_t{8192}));
  EXPECT_EQ(testing::leaf_for(tree, call),
            "algorithm=MPIR_Iallreduce_intra_sched_reduce_scatter_allgather");
  call.built_in = false;
  EXPECT_EQ(testing::leaf_for(tree, call),
            "algorithm=MPIR_Iallreduce_intra_sched_recursive_doubling");
  call = mpich::call_of(problem_of(Collective::alltoall, CallForm::nonblocking, 4, 8));
  call.in_place = true;
  EXPECT_EQ(testing::leaf_for(tree, call), "algorithm=MPIR_Ialltoall_intra_sched_inplace");
}

TEST(NonblockingMpich, WhatBreaksLegalProgramsIsNotWritten) {
  const auto emitted = mpich::emit_json(
      library_table({nonblocking(mpich_rule(Collective::allgather, "tsp_ring", 4, 8))}),
      mpich_provenance());
  EXPECT_EQ(emitted.text.find("Iallgather_intra_tsp_ring"), std::string::npos);
  ASSERT_EQ(emitted.degraded.size(), 1U);
  EXPECT_NE(emitted.degraded[0].find("mpich:iallgather/tsp_ring: wrong results"),
            std::string::npos);
}

TEST(NonblockingMpich, VariablesNameOneAlgorithmAndNoDevice) {
  const Emitted emitted = mpich::emit_cvars(mpich_choices(), mpich_provenance());
  EXPECT_NE(emitted.text.find("export MPIR_CVAR_IALLTOALL_INTRA_ALGORITHM=sched_pairwise\n"),
            std::string::npos);
  EXPECT_EQ(emitted.text.find("MPIR_CVAR_IALLTOALL_DEVICE"), std::string::npos);
  EXPECT_EQ(emitted.text.find("MPIR_CVAR_IBCAST"), std::string::npos);
  EXPECT_NE(emitted.text.find("ibcast: skipped"), std::string::npos);
  const ReadTable read = mpich::read_cvars(emitted.text);
  EXPECT_EQ(answer_of(read, problem_of(Collective::alltoall, CallForm::nonblocking, 7, 8)),
            "mpich:sched_pairwise");
  EXPECT_EQ(answer_of(read, problem_of(Collective::alltoall, CallForm::blocking, 7, 8)), kNative);
  EXPECT_TRUE(read.advice.empty());
}

TEST(NonblockingMpich, VariablesOfOtherAuthorsAreChecked) {
  const std::string text = "# MPICH Version: 4.0.2\nexport MPIR_CVAR_IBCAST_INTRA_ALGORITHM=";
  EXPECT_TRUE(finds(mpich::read_cvars(text + "ring\n"), 2, "no ibcast 'ring'"));
  EXPECT_TRUE(mpich::read_cvars(text + "sched_auto\n").faults.empty());
}

tables::Table openmpi_choices() {
  return library_table({
      library_rule(Collective::allreduce, 2, 8, "openmpi:recursive_doubling"),
      nonblocking(library_rule(Collective::allreduce, 2, 8, "openmpi:recursive_doubling")),
      nonblocking(library_rule(Collective::allreduce, 4, 8, "openmpi:recursive_doubling")),
      nonblocking(library_rule(Collective::bcast, 2, 8, "openmpi:linear")),
      nonblocking(library_rule(Collective::bcast, 2, 4096, "openmpi:knomial")),
      nonblocking(library_rule(Collective::scan, 2, 8, "native")),
  });
}

TEST(NonblockingOpenmpi, ParametersNameOneAlgorithmForEveryPAndSize) {
  const Emitted emitted = openmpi::emit_params(openmpi_choices(), openmpi_provenance());
  EXPECT_NE(
      emitted.text.find("\nexport OMPI_MCA_coll_libnbc_iallreduce_algorithm=recursive_doubling\n"),
      std::string::npos);
  EXPECT_EQ(emitted.degraded.size(), 1U);
  EXPECT_EQ(emitted.degraded[0].substr(0, 15), "ibcast: skipped");
  const ReadTable read = openmpi::read_params(emitted.text);
  for (const int procs : {2, 3, 64}) {
    const Case problem = problem_of(Collective::allreduce, CallForm::nonblocking, procs, 1000);
    EXPECT_EQ(answer_of(read, problem), "openmpi:recursive_doubling");
    EXPECT_EQ(tables::chosen(openmpi_choices(), problem).variant, read.answer(problem).variant);
  }
  EXPECT_EQ(answer_of(read, problem_of(Collective::bcast, CallForm::nonblocking, 2, 8)), kNative);
  EXPECT_EQ(answer_of(read, problem_of(Collective::allreduce, CallForm::blocking, 2, 8)), kNative);
  EXPECT_EQ(read.collectives, std::set{Collective::allreduce});
}

TEST(NonblockingOpenmpi, RulesAreOfBlockingCallsAlone) {
  const ReadTable read =
      openmpi::read_rules(openmpi::emit_rules(openmpi_choices(), openmpi_provenance()).text);
  EXPECT_EQ(read.collectives, std::set{Collective::allreduce});
}

TEST(NonblockingOpenmpi, ATableOfBlockingCallsHasNoParameters) {
  EXPECT_THROW(static_cast<void>(openmpi::emit_params(
                   library_table({library_rule(Collective::allreduce, 2, 8, "openmpi:ring")}),
                   openmpi_provenance())),
               UsageError);
}

TEST(NonblockingOpenmpi, ParametersAreForOpenmpiAlone) {
  EXPECT_THROW(static_cast<void>(openmpi::emit_params(mpich_choices(), mpich_provenance())),
               UsageError);
}

TEST(NonblockingOpenmpi, ParametersOfOtherAuthorsAreChecked) {
  const std::string text = "export OMPI_MCA_coll_libnbc_";
  EXPECT_EQ(answer_of(openmpi::read_params(text + "ibcast_algorithm=4\n"),
                      problem_of(Collective::bcast, CallForm::persistent, 5, 8)),
            "openmpi:knomial");
  EXPECT_EQ(answer_of(openmpi::read_params(text + "ibcast_algorithm=ignore\n"),
                      problem_of(Collective::bcast, CallForm::nonblocking, 5, 8)),
            kNative);
  EXPECT_TRUE(finds(openmpi::read_params(text + "ibcast_algorithm=5\n"), 1, "'5' is no value"));
  const auto advice = [](const std::string& script) {
    const ReadTable read = openmpi::read_params(script);
    EXPECT_TRUE(read.faults.empty());
    return read.advice.empty() ? "" : read.advice[0].reason;
  };
  EXPECT_NE(advice(text + "ialltoall_algorithm=1\n").find("no Open MPI that is known here has"),
            std::string::npos);
  EXPECT_NE(advice(text + "ireduce_algorithm=chain\n").find("wrong results"), std::string::npos);
  EXPECT_NE(advice("OMPI_MCA_coll_libnbc_ibcast_algorithm=2\n").find("not exported"),
            std::string::npos);
  EXPECT_NE(advice(text + "ibcast_algorithm=$CHOICE\n").find("not understood"), std::string::npos);
}

TEST(NonblockingOwn, RulesOfBothFormsComeBack) {
  const tables::Table table = mpich_choices();
  const auto read = read_kept_table(json(table, mpich_provenance()).text);
  ASSERT_TRUE(read.faults.empty()) << read.faults[0].reason;
  ASSERT_EQ(read.kept.table.rules.size(), table.rules.size());
  for (std::size_t i = 0; i < table.rules.size(); ++i) {
    EXPECT_EQ(read.kept.table.rules[i].what, table.rules[i].what);
  }
}

}  // namespace
}  // namespace breakeven::formats
