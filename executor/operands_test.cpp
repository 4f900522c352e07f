// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "executor/bound_schedule.hpp"

namespace breakeven::executor {
namespace {

Place at_input(std::int64_t offset) { return {kernels::Buffer::input, offset}; }
Place at_output(std::int64_t offset) { return {kernels::Buffer::output, offset}; }
Place at_scratch(std::int64_t offset) { return {kernels::Buffer::scratch, offset}; }

constexpr std::int64_t kOfMessage = 4;  // of a byte

BoundMessage message(Place at, std::int64_t elements = kOfMessage) {
  return {1, at.buffer, {{at.offset, elements}}};
}
BoundRound arrive(BoundReduce reduce) {
  return {.recvs = {message(at_scratch(0))}, .sends = {message(at_input(0))}, .local = {reduce}};
}

/// Where the first round's message arrives.
Place arrival(std::vector<BoundRound> rounds, bool commutative = true) {
  const BoundSchedule directed =
      with_direct_arrivals({.rounds = std::move(rounds)}, Memory{}, commutative);
  const BoundMessage& recv = directed.rounds.at(0).recvs.at(0);
  return {recv.buffer, recv.pieces.at(0).offset};
}

constexpr BoundReduce into_output{
    {kernels::Buffer::input, 0}, {kernels::Buffer::scratch, 0}, {kernels::Buffer::output, 8}, 4};

TEST(DirectArrival, ReceivesWhereTheResultWillBe) {
  const BoundSchedule directed =
      with_direct_arrivals({.rounds = {arrive(into_output)}}, Memory{}, true);
  const BoundRound& round = directed.rounds.at(0);
  EXPECT_EQ(round.recvs.at(0).buffer, kernels::Buffer::output);
  EXPECT_EQ(round.recvs[0].pieces, (std::vector<Piece>{{8, kOfMessage}}));
  const auto& reduce = std::get<BoundReduce>(round.local.at(0));
  EXPECT_EQ(reduce.a, at_input(0));
  EXPECT_EQ(reduce.b, at_output(8));
  EXPECT_EQ(reduce.into, at_output(8));
}

TEST(DirectArrival, LeavesTheFirstOperandOfAnOperationThatDoesNotCommute) {
  const BoundReduce first{at_scratch(0), at_input(0), at_output(8), kOfMessage};
  EXPECT_EQ(arrival({arrive(first)}, true), at_output(8));
  EXPECT_EQ(arrival({arrive(first)}, false), at_scratch(0));
  EXPECT_EQ(arrival({arrive(into_output)}, false), at_output(8));
}

TEST(DirectArrival, LeavesThePlaceToWhatTheRoundNeedsThere) {
  EXPECT_EQ(arrival({arrive({at_output(8), at_scratch(0), at_output(8), kOfMessage})}),
            at_scratch(0));
  EXPECT_EQ(arrival({arrive({at_output(6), at_scratch(0), at_output(8), kOfMessage})}),
            at_scratch(0));
  BoundRound sends_it = arrive(into_output);
  sends_it.sends.push_back(message(at_output(11), 1));
  EXPECT_EQ(arrival({sends_it}), at_scratch(0));
  BoundRound receives_there = arrive(into_output);
  receives_there.recvs.push_back(message(at_output(5)));
  EXPECT_EQ(arrival({receives_there}), at_scratch(0));
  BoundRound copies_it_before = arrive(into_output);
  copies_it_before.local.insert(copies_it_before.local.begin(),
                                BoundCopy{at_output(8), at_scratch(20), kOfMessage});
  EXPECT_EQ(arrival({copies_it_before}), at_scratch(0));
}

TEST(DirectArrival, LeavesWhatIsNeededAgain) {
  const BoundRound reader{.sends = {message(at_scratch(3), 1)}};
  const BoundRound writer{.recvs = {message(at_scratch(0))}};
  EXPECT_EQ(arrival({arrive(into_output), reader}), at_scratch(0));
  EXPECT_EQ(arrival({arrive(into_output), writer, reader}), at_output(8));
  BoundRound copies_it_after = arrive(into_output);
  copies_it_after.local.push_back(BoundCopy{at_scratch(0), at_output(20), kOfMessage});
  EXPECT_EQ(arrival({copies_it_after}), at_scratch(0));
  BoundRound overwrites_it_after = arrive(into_output);
  overwrites_it_after.local.push_back(BoundCopy{at_input(0), at_scratch(0), kOfMessage});
  EXPECT_EQ(arrival({overwrites_it_after, reader}), at_output(8));
}

TEST(DirectArrival, LeavesWhatIsNotReducedAsAWhole) {
  EXPECT_EQ(arrival({arrive({at_input(0), at_scratch(0), at_output(8), 2})}), at_scratch(0));
  EXPECT_EQ(arrival({arrive({at_input(0), at_scratch(1), at_output(8), 3})}), at_scratch(0));
  EXPECT_EQ(arrival({arrive({at_scratch(0), at_scratch(0), at_output(8), kOfMessage})}),
            at_scratch(0));
  EXPECT_EQ(arrival({arrive({at_input(0), at_scratch(0), at_scratch(2), kOfMessage})}),
            at_scratch(0));
}

TEST(DirectArrival, LeavesElementsWithGaps) {
  Memory gaps;
  gaps.output.layout = {.size = 1, .extent = 2, .contiguous = false};
  const BoundSchedule directed =
      with_direct_arrivals({.rounds = {arrive(into_output)}}, gaps, true);
  EXPECT_EQ(directed.rounds.at(0).recvs.at(0).buffer, kernels::Buffer::scratch);
}

}  // namespace
}  // namespace breakeven::executor
