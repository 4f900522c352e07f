// SPDX-License-Identifier: BSD-3-Clause
#include "executor/binding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

#include "core/error.hpp"

namespace breakeven {
namespace {

/// Rank 1 of a 3-rank allreduce on 7 ints: blocks of 3, 2 and 2 elements.
const CollectiveCall kCall{
    .problem = {.collective = Collective::allreduce, .procs = 3, .me = Rank{1}, .root = {}},
    .count = 7,
    .datatype = Datatype::int_,
    .op = Op::sum};

struct Buffers {
  std::array<int, 7> input{};
  std::array<int, 7> output{};
};

BoundSchedule bound(const Schedule& schedule, Buffers& buffers,
                    const CollectiveCall& call = kCall) {
  return bind_schedule(schedule, call, std::as_bytes(std::span{buffers.input}),
                       std::as_writable_bytes(std::span{buffers.output}));
}

std::string refusal(const Schedule& schedule, const CollectiveCall& call = kCall) {
  Buffers buffers;
  try {
    static_cast<void>(bound(schedule, buffers, call));
  } catch (const Error& error) {
    return error.what();
  }
  return "no refusal";
}

Schedule of_step(const Local& step, std::vector<ScratchRun> scratch = {}) {
  return {.blocks = 3, .scratch = std::move(scratch), .rounds = {{.comm = {}, .local = {step}}}};
}

Schedule of_step(const Comm& step, std::vector<ScratchRun> scratch = {}) {
  return {.blocks = 3, .scratch = std::move(scratch), .rounds = {{.comm = {step}, .local = {}}}};
}

const std::byte* address(const int& element) {
  return reinterpret_cast<const std::byte*>(&element);
}

TEST(Binding, FindsUnevenBlocksInTheVector) {
  Buffers buffers;
  const BoundSchedule schedule = bound(of_step(Comm{Send{Rank{2}, output(1), 2}}), buffers);
  const BoundSend& send = schedule.rounds.at(0).sends.at(0);
  EXPECT_EQ(send.from, address(buffers.output[3]));
  EXPECT_EQ(send.bytes, 4 * static_cast<int>(sizeof(int)));
  EXPECT_EQ(send.to, 2);
}

TEST(Binding, MakesScratchSlotsAsLargeAsTheBlockTheyAreFor) {
  Buffers buffers;
  const BoundSchedule schedule = bound(
      of_step(Comm{Recv{Rank{0}, scratch(2), 2}}, {{}, {.first_block = 1, .count = 1}, {}, {}}),
      buffers);
  EXPECT_EQ(schedule.scratch.size(), (3 + 2 + 3 + 3) * sizeof(int));
  const BoundRecv& recv = schedule.rounds.at(0).recvs.at(0);
  EXPECT_EQ(recv.into, schedule.scratch.data() + 5 * sizeof(int));
  EXPECT_EQ(recv.bytes, 6 * static_cast<int>(sizeof(int)));
}

TEST(Binding, TakesTheSizeOfAReductionFromTheSideThatNamesItsBlock) {
  Buffers buffers;
  const BoundSchedule schedule =
      bound(of_step(Local{Reduce{scratch(0), output(2), output(2), 1}}, {{}}), buffers);
  const auto& step = std::get<BoundReduce>(schedule.rounds.at(0).local.at(0));
  EXPECT_EQ(step.elements, 2U);
  EXPECT_EQ(step.a, schedule.scratch.data());
  EXPECT_EQ(step.b, address(buffers.output[5]));
  EXPECT_EQ(step.into, address(buffers.output[5]));
}

TEST(Binding, CutsEveryShareAlikeWhereMpiCountsOneBlock) {
  CollectiveCall call = kCall;
  call.problem.collective = Collective::allgather;
  call.count = 3;
  std::array<std::int64_t, 7> begins{};
  for (int block = 0; block <= 6; ++block) {
    begins[static_cast<std::size_t>(block)] = block_begin(call, 6, block);
  }
  EXPECT_EQ(begins, (std::array<std::int64_t, 7>{0, 2, 3, 5, 6, 8, 9}));
}

TEST(Binding, LeavesOutCopiesInPlaceAndStepsWithoutElements) {
  Buffers buffers;
  const auto in_place = std::as_writable_bytes(std::span{buffers.output});
  const BoundSchedule aliased =
      bind_schedule(of_step(Local{Copy{input(0), output(0), 3}}), kCall, in_place, in_place);
  EXPECT_TRUE(aliased.rounds.at(0).local.empty());
  CollectiveCall empty = kCall;
  empty.count = 0;
  const BoundSchedule nothing =
      bound(of_step(Local{Reduce{input(0), output(0), output(0), 3}}), buffers, empty);
  EXPECT_TRUE(nothing.rounds.at(0).local.empty());
}

TEST(Binding, RefusesASchedulesMistakesByName) {
  EXPECT_EQ(refusal(of_step(Comm{Send{Rank{0}, output(2), 2}})),
            "the schedule names 2 blocks of its output from block 2, of 3");
  EXPECT_EQ(refusal(of_step(Comm{Send{Rank{0}, input(-1), 1}})),
            "the schedule names 1 blocks of its input from block -1, of 3");
  EXPECT_EQ(refusal(of_step(Comm{Recv{Rank{0}, scratch(0), 1}})),
            "the schedule names 1 slots of its scratch from slot 0, of 0");
  EXPECT_EQ(refusal(of_step(Comm{Send{Rank{0}, scratch(0), 1}}, {{}})),
            "the schedule sends from scratch that takes any block");
  EXPECT_EQ(refusal(of_step(Comm{Recv{Rank{0}, input(0), 1}})), "the schedule writes its input");
  EXPECT_EQ(refusal(of_step(Comm{Send{Rank{3}, output(0), 1}})),
            "the schedule names rank 3 of 3 processes");
  EXPECT_EQ(refusal(of_step(Local{Copy{input(0), output(1), 1}})),
            "the schedule has a local step of 3 elements on one side, 2 on another");
  EXPECT_EQ(refusal(of_step(Local{Copy{scratch(0), scratch(1), 1}}, {{}, {}})),
            "the schedule has a local step of unknown size");
  EXPECT_EQ(refusal(of_step(Comm{Recv{Rank{0}, scratch(0), 1}}, {{.first_block = 3, .count = 1}})),
            "the schedule's scratch names 1 blocks from block 3, of 3");
}

TEST(Binding, RefusesBuffersThatAreTooSmall) {
  CollectiveCall longer = kCall;
  longer.count = 8;
  EXPECT_EQ(refusal({.blocks = 3, .scratch = {}, .rounds = {}}, longer),
            "the input buffer has 28 bytes, the call needs 32");
}

TEST(Binding, RefusesBlocksThatDoNotCutTheShares) {
  CollectiveCall gather = kCall;
  gather.problem.collective = Collective::allgather;
  EXPECT_EQ(refusal({.blocks = 4, .scratch = {}, .rounds = {}}, gather),
            "a schedule of 4 blocks does not cut allgather among 3 processes");
}

TEST(Binding, RefusesAMessageThatMpiCanNotCount) {
  constexpr std::size_t kBytes = std::size_t{1} << 31;
  const CollectiveCall call{
      .problem = {.collective = Collective::bcast, .procs = 2, .me = Rank{0}, .root = {}},
      .count = std::int64_t{1} << 31,
      .datatype = Datatype::byte,
      .op = Op::none};
  std::byte start{};  // the addresses are computed, never used
  const Schedule schedule{
      .blocks = 1, .scratch = {}, .rounds = {{.comm = {Send{Rank{1}, output(0), 1}}, .local = {}}}};
  try {
    static_cast<void>(bind_schedule(schedule, call, {&start, kBytes}, {&start, kBytes}));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a message of 2147483648 bytes is more than MPI's int can count");
  }
}

}  // namespace
}  // namespace breakeven
