// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tables/formats/mpich/json.hpp"
#include "tables/formats/mpich/search.hpp"
#include "tables/formats/mpich/testing.hpp"

namespace breakeven::formats {
namespace {

using tables::testing::allreduce;
using testing::line_with;
using testing::variants_of;

std::string notes_of(const Answer& answer) {
  return fmt::format("{}", fmt::join(answer.notes, "\n"));
}

TEST(MpichAnswer, SaysTheRangesAndTheConditionsOfALeaf) {
  const std::string text = testing::testdata("mpich_coll.golden");
  const Answer answer = mpich::read_json(text).answer(allreduce("", 4, 16384));
  EXPECT_EQ(to_text(answer.variant), "mpich:reduce_scatter_allgather");
  EXPECT_EQ(answer.line, 150);
  EXPECT_EQ(answer.rule,
            "p = 3 to 5, avg_msg_size 4096 and more (this call: 16384), count 4 and more (this "
            "call: 4096), comm_hierarchy=parent, is_node_consecutive=yes, is_op_built_in=yes");
}

TEST(MpichAnswer, SaysWhatCallsGetThatDoNotMeetAQuestion) {
  const std::string text = testing::testdata("mpich_coll.golden");
  EXPECT_EQ(notes_of(mpich::read_json(text).answer(allreduce("", 4, 16384))),
            "for the user's own operations: mpich:allreduce/recursive_doubling (line 153)\n"
            "for operations that do not commute: mpich:allreduce/recursive_doubling (line 153)\n"
            "for the same bytes in one element: mpich:allreduce/recursive_doubling (line 148)");
  const Case exchange{.collective = Collective::alltoall, .procs = 4, .message = {16384}};
  EXPECT_EQ(notes_of(mpich::read_json(text).answer(exchange)),
            "for buffers in place: mpich:alltoall/pairwise_sendrecv_replace (line 488)");
}

TEST(MpichAnswer, NonblockingCallsAreNamed) {
  const std::string text = testing::testdata("mpich_coll.golden");
  const Case problem{.collective = Collective::reduce,
                     .form = CallForm::nonblocking,
                     .procs = 4,
                     .message = {8},
                     .op = Op::sum};
  EXPECT_EQ(notes_of(mpich::read_json(text).answer(problem)),
            "MPICH's own tree, left as it is, has algorithm=MPIR_Ireduce_intra_sched_smp\n"
            "for operations that do not commute: mpich:ireduce/sched_binomial (line 616)");
}

TEST(MpichAnswer, ALeafOfTheLibrarysOwnTreeIsAChoiceOfAnotherAuthorAlone) {
  const std::string own = testing::testdata("mpich-4.0.2-mpir.json");
  const Case problem{.collective = Collective::bcast, .procs = 40, .message = {64}};
  EXPECT_EQ(variants_of(mpich::read_json(own))(problem), "mpich:binomial");
  const Answer left = mpich::read_json(testing::testdata("mpich_coll.golden")).answer(problem);
  EXPECT_EQ(to_text(left.variant), kNative);
  EXPECT_EQ(notes_of(left),
            "MPICH's own tree, left as it is, has algorithm=MPIR_Bcast_intra_binomial");
}

TEST(MpichAnswer, TheDevicesFileLeavesAnAlgorithmToTheOther) {
  const std::string text = testing::testdata("mpich_4_2_ch4_coll.golden");
  const Case problem{.collective = Collective::bcast, .procs = 4, .nodes = 2, .message = {64}};
  const Answer answer = mpich::read_ch4_json(text).answer(problem);
  EXPECT_EQ(to_text(answer.variant), "mpich:flat");
  EXPECT_EQ(notes_of(answer),
            "the device leaves the call to the MPIR layer, whose file names the algorithm");
}

TEST(MpichAnswer, OnOneNodeEveryMappingIsConsecutive) {
  const ReadTable read = mpich::read_json(testing::testdata("mpich_coll.golden"));
  Case problem = allreduce("", 4, 8);
  problem.mapping = Mapping::rr;
  EXPECT_EQ(variants_of(read)(problem), "mpich:recursive_doubling");
  problem.nodes = 2;
  EXPECT_EQ(variants_of(read)(problem), kNative);
}

}  // namespace
}  // namespace breakeven::formats
