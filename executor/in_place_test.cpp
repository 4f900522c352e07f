// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "executor/bound_schedule.hpp"
#include "executor/testing.hpp"

namespace breakeven::executor {
namespace {

using namespace testing;

BoundSchedule of(std::vector<BoundRound> rounds) { return {.rounds = std::move(rounds)}; }

/// Elements of a byte; the input begins at byte 10 of the output.
Memory in_place() {
  Memory memory;
  memory.input_in_output = 10;
  return memory;
}

bool fits(std::vector<BoundRound> rounds) {
  return fitted_in_place(of(std::move(rounds)), in_place()).has_value();
}

TEST(InPlace, FindsTheInputInTheOutputAndLeavesOutCopiesToItself) {
  const auto laid = fitted_in_place(
      of({{.sends = {{1, kernels::Buffer::input, {{4, 2}}}},
           .local = {BoundCopy{in(0), out(10), 5}, BoundReduce{in(5), aside(0), out(15), 3}}}}),
      in_place());
  ASSERT_TRUE(laid);
  const BoundRound& round = laid->rounds.at(0);
  EXPECT_EQ(round.sends.at(0).buffer, kernels::Buffer::output);
  EXPECT_EQ(round.sends[0].pieces, (std::vector<Piece>{{14, 2}}));
  ASSERT_EQ(round.local.size(), 1U);
  EXPECT_EQ(std::get<BoundReduce>(round.local[0]).a, out(15));
}

TEST(InPlace, RefusesToReadWhatWasOverwritten) {
  const BoundRound write{.local = {BoundCopy{aside(0), out(12), 4}}};
  EXPECT_FALSE(fits({write, {.sends = {{1, kernels::Buffer::input, {{5, 1}}}}}}));
  EXPECT_FALSE(fits({write, {.local = {BoundCopy{in(1), aside(9), 2}}}}));
  EXPECT_TRUE(fits({write, {.sends = {{1, kernels::Buffer::input, {{6, 1}, {0, 2}}}}}}));
  EXPECT_TRUE(
      fits({write, {.sends = {{1, kernels::Buffer::output, {{12, 4}}}}}}));  // it means the result
}

TEST(InPlace, RefusesToSendWhatIsBeingReceivedOver) {
  const BoundMessage recv{1, kernels::Buffer::output, {{0, 11}}};
  EXPECT_FALSE(fits({{.recvs = {recv}, .sends = {{1, kernels::Buffer::input, {{0, 1}}}}}}));
  EXPECT_TRUE(fits({{.recvs = {recv}, .sends = {{1, kernels::Buffer::input, {{1, 1}}}}}}));
}

TEST(InPlace, RefusesAStepWhoseSidesOverlapInPart) {
  EXPECT_FALSE(fits({{.local = {BoundCopy{in(0), out(11), 2}}}}));
  EXPECT_FALSE(fits({{.local = {BoundReduce{aside(0), in(0), out(9), 2}}}}));
  EXPECT_TRUE(fits({{.local = {BoundCopy{in(0), out(12), 2}}}}));
}

TEST(InPlace, CountsInterleavedElementsByTheirExtent) {
  Memory memory = in_place();
  memory.input_in_output = 0;
  memory.output.layout = {
      .size = 2, .extent = 4, .true_lower = 0, .true_extent = 30, .contiguous = false};
  memory.element_size = 2;
  memory.input = memory.output;
  EXPECT_TRUE(fitted_in_place(of({{.local = {BoundCopy{aside(0), out(0), 2}}},
                                  {.sends = {{1, kernels::Buffer::input, {{8, 1}}}}}}),
                              memory));
}

TEST(InPlace, LeavesOutWritesOfAnUnwantedOutput) {
  Memory memory;
  memory.output_unwanted = true;
  const BoundRound scatter{.sends = {{1, kernels::Buffer::input, {{4, 4}}}},
                           .local = {BoundCopy{in(0), out(0), 4}}};
  const auto laid = fitted_in_place(of({scatter}), memory);
  ASSERT_TRUE(laid);
  EXPECT_TRUE(laid->rounds.at(0).local.empty());
  const BoundRound from_output{.sends = {{1, kernels::Buffer::output, {{0, 4}}}}};
  EXPECT_FALSE(fitted_in_place(of({scatter, from_output}), memory));
}

/// An allreduce of one block that sends its input after it has its output.
TEST(InPlace, BindingKeepsTheInputAsideWhereItMust) {
  const kernels::CollectiveCall call{.problem = {.collective = Collective::allreduce, .procs = 2},
                                     .count = 3,
                                     .datatype = Datatype::byte,
                                     .op = Op::bor};
  const kernels::Round recv{.comm = {kernels::Recv{Rank{1}, kernels::output(0)}}};
  const kernels::Round send{.comm = {kernels::Send{Rank{1}, kernels::input(0)}}};
  Memory memory = memory_of(call);
  memory.input_in_output = 0;
  const BoundSchedule late = bind_schedule({.blocks = 1, .rounds = {recv, send}}, call, memory);
  ASSERT_EQ(late.rounds.size(), 3U);
  EXPECT_EQ(late.scratch_elements, 3);
  EXPECT_EQ(std::get<BoundCopy>(late.rounds[0].local.at(0)).from, out(0));
  EXPECT_EQ(late.rounds[2].sends.at(0).buffer, kernels::Buffer::scratch);
  const BoundSchedule early = bind_schedule({.blocks = 1, .rounds = {send, recv}}, call, memory);
  EXPECT_EQ(early.rounds.size(), 2U);
  EXPECT_EQ(early.scratch_elements, 0);
}

std::vector<BoundLocal> in_two_operands(const BoundReduce& reduce, bool commutative) {
  BoundSchedule schedule = of({{.local = {reduce}}});
  schedule.scratch_elements = 100;
  schedule = with_two_operands(std::move(schedule), Memory{}, commutative);
  EXPECT_EQ(schedule.scratch_elements, commutative || reduce.into != reduce.a ? 100 : 107);
  return schedule.rounds.at(0).local;
}

TEST(TwoOperands, KeepTheOrderOfAnOperationThatDoesNotCommute) {
  const BoundReduce direct{out(0), aside(0), aside(0), 7};
  EXPECT_EQ(in_two_operands(direct, false).size(), 1U);

  const auto apart = in_two_operands({out(0), aside(0), out(50), 7}, false);
  ASSERT_EQ(apart.size(), 2U);
  EXPECT_EQ(std::get<BoundCopy>(apart[0]).from, aside(0));
  EXPECT_EQ(std::get<BoundReduce>(apart[1]).a, out(0));
  EXPECT_EQ(std::get<BoundReduce>(apart[1]).b, out(50));

  const BoundReduce into_first{out(0), aside(0), out(0), 7};
  const auto through_room = in_two_operands(into_first, false);
  ASSERT_EQ(through_room.size(), 3U);
  EXPECT_EQ(std::get<BoundReduce>(through_room[1]).a, out(0));
  EXPECT_EQ(std::get<BoundReduce>(through_room[1]).into, aside(100));
  EXPECT_EQ(std::get<BoundCopy>(through_room[2]).into, out(0));

  const auto swapped = in_two_operands(into_first, true);
  ASSERT_EQ(swapped.size(), 1U);
  EXPECT_EQ(std::get<BoundReduce>(swapped[0]).a, aside(0));
  EXPECT_EQ(std::get<BoundReduce>(swapped[0]).into, out(0));
}

}  // namespace
}  // namespace breakeven::executor
