// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "core/error.hpp"
#include "executor/bound_schedule.hpp"

namespace breakeven::executor {
namespace {

constexpr std::int64_t kInt = sizeof(int);

/// Rank 1 of a 3-rank allreduce on 7 ints: blocks of 3, 2 and 2 elements.
const kernels::CollectiveCall kCall{
    .problem = {.collective = Collective::allreduce, .procs = 3, .me = Rank{1}, .root = {}},
    .count = 7,
    .datatype = Datatype::int_,
    .op = Op::sum};

/// Rank 1 of a 3-rank allgatherv of 2, 0 and 3 ints, and where its shares lie in the output.
kernels::CollectiveCall allgatherv() {
  kernels::CollectiveCall call = kCall;
  call.problem.collective = Collective::allgatherv;
  call.begins = {0, 2, 2, 5};
  call.op = Op::none;
  return call;
}
Memory with_shares(std::vector<std::int64_t> begins) {
  Memory memory = memory_of(kCall);
  memory.output.shares = std::move(begins);
  return memory;
}

/// Elements of 8 bytes of data in 12, the data in the middle.
Memory strided() {
  const Layout layout{
      .size = 8, .extent = 12, .true_lower = 2, .true_extent = 9, .contiguous = false};
  return {.element_size = 8, .input = {layout}, .output = {layout}, .scratch = {layout}};
}

kernels::Schedule of_step(const kernels::Local& step,
                          std::vector<kernels::ScratchRun> scratch = {}) {
  return {.blocks = 3, .scratch = std::move(scratch), .rounds = {{.local = {step}}}};
}
kernels::Schedule of_step(const kernels::Comm& step,
                          std::vector<kernels::ScratchRun> scratch = {}) {
  return {.blocks = 3, .scratch = std::move(scratch), .rounds = {{.comm = {step}}}};
}

BoundSchedule bound(const kernels::Schedule& schedule,
                    const kernels::CollectiveCall& call = kCall) {
  return bind_schedule(schedule, call, memory_of(call));
}
template <typename Step>
Step only_step(const BoundSchedule& schedule) {
  return std::get<Step>(schedule.rounds.at(0).local.at(0));
}

std::string refusal(const kernels::Schedule& schedule,
                    const kernels::CollectiveCall& call = kCall) {
  try {
    static_cast<void>(bound(schedule, call));
  } catch (const Error& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(Binding, RunsOfAMessageAreItsPieces) {
  kernels::Schedule schedule{.blocks = 3, .scratch = {}, .rounds = {{}}};
  const std::vector<kernels::BlockRange> first_and_last{{0, 1}, {2, 1}};
  schedule.rounds[0].send(Rank{0}, kernels::Buffer::input, first_and_last);
  schedule.rounds[0].recv(Rank{2}, kernels::Buffer::output, first_and_last);
  const BoundSchedule bound = bind_schedule(schedule, kCall, memory_of(kCall));
  ASSERT_EQ(bound.rounds[0].sends.size(), 1);
  const std::vector<Piece> pieces{{0, 3}, {5 * kInt, 2}};
  EXPECT_EQ(bound.rounds[0].sends[0].pieces, pieces);
  EXPECT_EQ(bound.rounds[0].recvs.at(0).pieces, pieces);
}

TEST(Binding, RefusesRunsInSeveralBuffersOrInSlotsOfAnySize) {
  kernels::Schedule schedule{.blocks = 3, .scratch = {{}}, .rounds = {{}}};
  std::vector<kernels::Comm>& comm = schedule.rounds[0].comm;
  comm = {kernels::Send{Rank{0}, kernels::input(0), 1, true},
          kernels::Send{Rank{0}, kernels::output(1)}};
  EXPECT_THROW(static_cast<void>(bind_schedule(schedule, kCall, memory_of(kCall))), Error);
  comm = {kernels::Recv{Rank{0}, kernels::scratch(0), 1, true},
          kernels::Recv{Rank{0}, kernels::scratch(0)}};
  EXPECT_THROW(static_cast<void>(bind_schedule(schedule, kCall, memory_of(kCall))), Error);
}

TEST(Binding, FindsUnevenBlocksInTheVector) {
  const BoundSchedule schedule =
      bound(of_step(kernels::Comm{kernels::Send{Rank{2}, kernels::output(1), 2}}));
  const BoundMessage& send = schedule.rounds.at(0).sends.at(0);
  EXPECT_EQ(send.buffer, kernels::Buffer::output);
  EXPECT_EQ(send.pieces, (std::vector<Piece>{{3 * kInt, 4}}));
  EXPECT_EQ(send.peer, 2);
}

TEST(Binding, MakesScratchSlotsAsLargeAsTheBlockTheyAreFor) {
  const BoundSchedule schedule =
      bound(of_step(kernels::Comm{kernels::Recv{Rank{0}, kernels::scratch(2), 2}},
                    {{}, {.first_block = 1, .count = 1}, {}, {}}));
  EXPECT_EQ(schedule.scratch_elements, 3 + 2 + 3 + 3);
  EXPECT_EQ(schedule.rounds.at(0).recvs.at(0).pieces, (std::vector<Piece>{{5 * kInt, 6}}));
}

TEST(Binding, TakesTheSizeOfAReductionFromTheSideThatNamesItsBlock) {
  const auto step = only_step<BoundReduce>(
      bound(of_step(kernels::Local{kernels::Reduce{kernels::scratch(0), kernels::output(2),
                                                   kernels::output(2), 1}},
                    {{}})));
  EXPECT_EQ(step.elements, 2);
  EXPECT_EQ(step.a, (Place{kernels::Buffer::scratch, 0}));
  EXPECT_EQ(step.b, (Place{kernels::Buffer::output, 5 * kInt}));
  EXPECT_EQ(step.into, step.b);
}

TEST(Binding, CutsEveryShareAlikeWhereMpiCountsOneBlock) {
  kernels::CollectiveCall call = kCall;
  call.problem.collective = Collective::allgather;
  call.count = 3;
  std::vector<std::int64_t> begins;
  for (int block = 0; block <= 6; ++block) begins.push_back(kernels::block_begin(call, 6, block));
  EXPECT_EQ(begins, (std::vector<std::int64_t>{0, 2, 3, 5, 6, 8, 9}));
}

TEST(Binding, JoinsSharesThatAreNeighboursInMemory) {
  const kernels::Schedule schedule =
      of_step(kernels::Comm{kernels::Send{Rank{0}, kernels::output(0), 3}});
  const auto pieces = [&](std::vector<std::int64_t> begins) {
    const BoundSchedule bound =
        bind_schedule(schedule, allgatherv(), with_shares(std::move(begins)));
    return bound.rounds.at(0).sends.at(0).pieces;
  };
  EXPECT_EQ(pieces({40, 900, 48}), (std::vector<Piece>{{40, 5}}));
  EXPECT_EQ(pieces({40, 900, 0}), (std::vector<Piece>{{40, 2}, {0, 3}}));
}

TEST(Binding, CopiesPieceByPiece) {
  const kernels::Schedule schedule =
      of_step(kernels::Local{kernels::Copy{kernels::scratch(0), kernels::output(0), 3}},
              {{.first_block = 0, .count = 3}});
  const BoundSchedule bound = bind_schedule(schedule, allgatherv(), with_shares({40, 900, 0}));
  ASSERT_EQ(bound.rounds.at(0).local.size(), 2U);
  const auto second = std::get<BoundCopy>(bound.rounds[0].local[1]);
  EXPECT_EQ(second.from, (Place{kernels::Buffer::scratch, 2 * kInt}));
  EXPECT_EQ(second.into, (Place{kernels::Buffer::output, 0}));
  EXPECT_EQ(second.elements, 3);
}

TEST(Binding, CountsStridedElementsByTheirExtent) {
  const BoundSchedule schedule = bind_schedule(
      of_step(kernels::Comm{kernels::Send{Rank{2}, kernels::output(1), 2}}), kCall, strided());
  EXPECT_EQ(schedule.rounds.at(0).sends.at(0).pieces, (std::vector<Piece>{{3 * 12, 4}}));
}

TEST(Binding, KeepsABufferAsideWhoseElementsItWouldCut) {
  Memory memory = strided();
  memory.element_size = 4;  // the call's elements are halves of the datatype's
  memory.scratch = {.layout = contiguous_layout({4})};
  kernels::CollectiveCall call = kCall;
  call.count = 10;  // blocks of 4, 3 and 3
  const BoundSchedule cut = bind_schedule(
      of_step(kernels::Comm{kernels::Send{Rank{2}, kernels::input(0), 2}}), call, memory);
  EXPECT_EQ(cut.scratch_elements, 20);
  ASSERT_EQ(cut.rounds.size(), 2U);
  EXPECT_EQ(only_step<BoundCopy>(cut).elements, 10);
  EXPECT_EQ(cut.rounds[1].sends.at(0).buffer, kernels::Buffer::scratch);
  call.count = 12;  // blocks of 4
  const BoundSchedule whole = bind_schedule(
      of_step(kernels::Comm{kernels::Send{Rank{2}, kernels::input(0), 2}}), call, memory);
  EXPECT_EQ(whole.rounds.at(0).sends.at(0).pieces, (std::vector<Piece>{{0, 8}}));
}

TEST(Binding, CountsBeyondAnInt) {
  kernels::CollectiveCall call = kCall;
  call.count = 3 * (std::int64_t{1} << 40);
  const BoundSchedule schedule =
      bound(of_step(kernels::Comm{kernels::Send{Rank{2}, kernels::output(1), 2}}), call);
  EXPECT_EQ(schedule.rounds.at(0).sends.at(0).pieces,
            (std::vector<Piece>{{kInt << 40, std::int64_t{2} << 40}}));
}

TEST(Binding, LeavesNothingToDoWithoutData) {
  kernels::CollectiveCall empty = kCall;
  empty.count = 0;
  EXPECT_TRUE(bound(of_step(kernels::Comm{kernels::Send{Rank{2}, kernels::output(1), 2}}), empty)
                  .rounds.empty());
}

TEST(Binding, SendsEmptyMessagesWhereOthersMayNotKnow) {
  kernels::CollectiveCall empty = allgatherv();
  empty.begins = {0, 0, 0, 0};
  const BoundSchedule schedule =
      bound(of_step(kernels::Comm{kernels::Send{Rank{2}, kernels::output(1), 2}}), empty);
  EXPECT_TRUE(schedule.rounds.at(0).sends.at(0).pieces.empty());
  EXPECT_TRUE(
      bound(of_step(kernels::Local{kernels::Copy{kernels::input(0), kernels::output(1)}}), empty)
          .rounds.at(0)
          .local.empty());
}

TEST(Binding, RefusesASchedulesMistakesByName) {
  EXPECT_EQ(refusal(of_step(kernels::Comm{kernels::Send{Rank{0}, kernels::output(2), 2}})),
            "the schedule names 2 blocks of its output from block 2, of 3");
  EXPECT_EQ(refusal(of_step(kernels::Comm{kernels::Send{Rank{0}, kernels::input(-1), 1}})),
            "the schedule names 1 blocks of its input from block -1, of 3");
  EXPECT_EQ(refusal(of_step(kernels::Comm{kernels::Recv{Rank{0}, kernels::scratch(0), 1}})),
            "the schedule names 1 slots of its scratch from slot 0, of 0");
  EXPECT_EQ(refusal(of_step(kernels::Comm{kernels::Send{Rank{0}, kernels::scratch(0), 1}}, {{}})),
            "the schedule sends from scratch that takes any block");
  EXPECT_EQ(refusal(of_step(kernels::Comm{kernels::Recv{Rank{0}, kernels::input(0), 1}})),
            "the schedule writes its input");
  EXPECT_EQ(refusal(of_step(kernels::Comm{kernels::Send{Rank{3}, kernels::output(0), 1}})),
            "the schedule names rank 3 of 3 processes");
  EXPECT_EQ(
      refusal(of_step(kernels::Local{kernels::Copy{kernels::input(0), kernels::output(1), 1}})),
      "the schedule has a local step of 3 elements on one side, 2 on another");
  EXPECT_EQ(
      refusal(of_step(kernels::Local{kernels::Copy{kernels::scratch(0), kernels::scratch(1), 1}},
                      {{}, {}})),
      "the schedule has a local step of unknown size");
  EXPECT_EQ(refusal(of_step(kernels::Comm{kernels::Recv{Rank{0}, kernels::scratch(0), 1}},
                            {{.first_block = 3, .count = 1}})),
            "the schedule's scratch names 1 blocks from block 3, of 3");
  EXPECT_EQ(refusal(of_step(kernels::Local{
                        kernels::Reduce{kernels::input(0), kernels::input(0), kernels::output(0)}}),
                    allgatherv()),
            "the schedule reduces where nothing is to be reduced");
}

TEST(Binding, RefusesBlocksThatDoNotCutTheShares) {
  kernels::CollectiveCall gather = kCall;
  gather.problem.collective = Collective::allgather;
  EXPECT_EQ(refusal({.blocks = 4, .scratch = {}, .rounds = {}}, gather),
            "a schedule of 4 blocks does not cut allgather among 3 processes");
}

}  // namespace
}  // namespace breakeven::executor
