// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/workspace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"

namespace breakeven::worker {
namespace {

Case allreduce() {
  return {.collective = Collective::allreduce, .procs = 4, .message = {16}, .op = Op::sum};
}

std::string refusal(const Case& what) {
  try {
    static_cast<void>(Workspace{what, 4, Rank{1}});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no refusal";
}

template <typename Change>
std::string refusal_after(Change change) {
  Case what = allreduce();
  change(what);
  return refusal(what);
}

TEST(Workspace, RefusesWhatIsNoCallOfMpi) {
  EXPECT_EQ(refusal(allreduce()), "no refusal");
  EXPECT_EQ(refusal_after([](Case& what) { what.procs = 8; }),
            "the case is for p = 8, this launch has 4");
  EXPECT_EQ(refusal_after([](Case& what) { what.message = {18}; }),
            "a message of 18 bytes is no whole number of int, 4 bytes each");
  EXPECT_EQ(refusal_after([](Case& what) { what.message = {-4}; }),
            "a message of -4 bytes is no whole number of int, 4 bytes each");
  EXPECT_EQ(refusal_after([](Case& what) { what.message = {std::int64_t{1} << 33}; }),
            "a message of 2147483648 elements is more than MPI's int can count");
  EXPECT_EQ(refusal_after([](Case& what) { what.root = Rank{1}; }),
            "allreduce has no root, asked: 1");
  EXPECT_EQ(refusal_after([](Case& what) {
              what.collective = Collective::reduce;
              what.root = Rank{4};
            }),
            "root 4 is not one of the ranks 0 to 3");
  EXPECT_EQ(refusal_after([](Case& what) { what.collective = Collective::bcast; }),
            "bcast reduces nothing, asked: sum");
  EXPECT_EQ(refusal_after([](Case& what) { what.counts = Counts::linear; }),
            "allreduce has equal counts, asked: linear");
}

TEST(Workspace, RefusesReductionsThatMpiDoesNotDefine) {
  EXPECT_EQ(refusal_after([](Case& what) { what.op = Op::none; }),
            "MPI does not define the reduction 'none' on int");
  EXPECT_EQ(refusal_after([](Case& what) {
              what.op = Op::bor;
              what.datatype = Datatype::float_;
            }),
            "MPI does not define the reduction 'bor' on float");
}

TEST(Workspace, HasTheBuffersOfTheRanksRole) {
  const auto sizes = [](Collective collective, int rank) {
    Case what = allreduce();
    what.collective = collective;
    what.root = rooted(collective) ? Rank{1} : Rank{0};
    if (!reduces(collective)) what.op = Op::none;
    Workspace workspace{what, 4, Rank{rank}};
    return std::pair{workspace.input().size(), workspace.output().size()};
  };
  EXPECT_EQ(sizes(Collective::allreduce, 0), std::pair(16UL, 16UL));
  EXPECT_EQ(sizes(Collective::allgather, 0), std::pair(16UL, 64UL));
  EXPECT_EQ(sizes(Collective::reduce_scatter_block, 0), std::pair(64UL, 16UL));
  EXPECT_EQ(sizes(Collective::reduce, 0), std::pair(16UL, 0UL));
  EXPECT_EQ(sizes(Collective::reduce, 1), std::pair(16UL, 16UL));
  EXPECT_EQ(sizes(Collective::scatter, 0), std::pair(0UL, 16UL));
  EXPECT_EQ(sizes(Collective::scatter, 1), std::pair(64UL, 16UL));
  EXPECT_EQ(sizes(Collective::bcast, 0), std::pair(0UL, 16UL));
  EXPECT_EQ(sizes(Collective::alltoall, 0), std::pair(64UL, 64UL));
  EXPECT_EQ(sizes(Collective::alltoallw, 3), std::pair(64UL, 64UL));
  EXPECT_EQ(sizes(Collective::scan, 0), std::pair(16UL, 16UL));
  EXPECT_EQ(sizes(Collective::exscan, 0), std::pair(16UL, 0UL));
  EXPECT_EQ(sizes(Collective::exscan, 1), std::pair(16UL, 16UL));
}

TEST(Workspace, HasTheBuffersOfTheRanksOwnCount) {
  // Blocks of 0, 2, 5 and 9 int: 4 mean ones.
  const auto sizes = [](Collective collective, int rank) {
    const Case what{.collective = collective,
                    .procs = 4,
                    .message = {16},
                    .op = reduces(collective) ? Op::sum : Op::none,
                    .root = {rooted(collective) ? 1 : 0},
                    .counts = Counts::linear};
    Workspace workspace{what, 4, Rank{rank}};
    return std::pair{workspace.input().size(), workspace.output().size()};
  };
  EXPECT_EQ(sizes(Collective::allgatherv, 0), std::pair(0UL, 64UL));
  EXPECT_EQ(sizes(Collective::allgatherv, 3), std::pair(32UL, 64UL));
  EXPECT_EQ(sizes(Collective::gatherv, 1), std::pair(8UL, 64UL));
  EXPECT_EQ(sizes(Collective::scatterv, 2), std::pair(0UL, 24UL));
  EXPECT_EQ(sizes(Collective::reduce_scatter, 3), std::pair(64UL, 32UL));
  EXPECT_EQ(sizes(Collective::alltoallv, 2), std::pair(64UL, 64UL));
}

TEST(Workspace, HasAnAddressForTheOutputThatExscanLeavesUndefined) {
  Case what = allreduce();
  what.collective = Collective::exscan;
  Workspace workspace{what, 4, Rank{0}};
  workspace.prepare([] {});
  EXPECT_NE(workspace.output().data(), nullptr);
  EXPECT_EQ(workspace.complaint([] {}), std::nullopt);
}

TEST(Workspace, WorksInAsManyPartsAtEachRankOfMuchData) {
  Case what{.collective = Collective::bcast,
            .procs = 2,
            .message = {(std::int64_t{1} << 25) + 16},
            .datatype = Datatype::double_};
  int signs = 0;
  const auto sign = [&] { ++signs; };
  Workspace root{what, 2, Rank{0}};
  root.prepare(sign);
  EXPECT_EQ(signs, 1);
  EXPECT_EQ(root.complaint(sign), std::nullopt);
  root.output().back() = std::byte{255};
  EXPECT_TRUE(root.complaint(sign).value_or("").starts_with("element 4194305: "));
  EXPECT_EQ(signs, 3);
  what.collective = Collective::scatter;  // rank 1 has a sixteenth of what rank 0 has
  what.procs = 16;
  what.message = {(std::int64_t{1} << 21) + 16};
  Workspace other{what, 16, Rank{1}};
  other.prepare(sign);
  EXPECT_NE(other.complaint(sign), std::nullopt);
  EXPECT_EQ(signs, 5);
}

TEST(Workspace, IsWrongUntilTheCollectiveHasRun) {
  Workspace workspace{allreduce(), 4, Rank{1}};
  workspace.prepare([] {});
  const std::string complaint = workspace.complaint([] {}).value_or("");
  EXPECT_TRUE(complaint.starts_with("element 0: ") && complaint.ends_with(" instead of 6"))
      << complaint;
}

TEST(Workspace, TouchingTheInputKeepsItsValues) {
  Workspace workspace{allreduce(), 4, Rank{1}};
  workspace.prepare([] {});
  const std::vector<std::byte> before{workspace.input().begin(), workspace.input().end()};
  workspace.touch_input();
  EXPECT_TRUE(std::ranges::equal(workspace.input(), before));
}

TEST(Workspace, ABroadcastsRootHasItsInputInTheOutputBuffer) {
  Case what = allreduce();
  what.collective = Collective::bcast;
  what.op = Op::none;
  what.root = Rank{1};
  Workspace workspace{what, 4, Rank{1}};
  workspace.prepare([] {});
  EXPECT_EQ(workspace.input().data(), workspace.output().data());
  EXPECT_EQ(workspace.complaint([] {}), std::nullopt);
}

}  // namespace
}  // namespace breakeven::worker
