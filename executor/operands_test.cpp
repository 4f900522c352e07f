// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "executor/bound_schedule.hpp"
#include "executor/testing.hpp"

namespace breakeven::executor {
namespace {

using namespace testing;

constexpr std::int64_t kOfMessage = 4;  // of a byte

BoundRound arrive(BoundReduce reduce) {
  return {.recvs = {message(aside(0), kOfMessage)},
          .sends = {message(in(0), kOfMessage)},
          .local = {reduce}};
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
  EXPECT_EQ(reduce.a, in(0));
  EXPECT_EQ(reduce.b, out(8));
  EXPECT_EQ(reduce.into, out(8));
}

TEST(DirectArrival, LeavesTheFirstOperandOfAnOperationThatDoesNotCommute) {
  const BoundReduce first{aside(0), in(0), out(8), kOfMessage};
  EXPECT_EQ(arrival({arrive(first)}, true), out(8));
  EXPECT_EQ(arrival({arrive(first)}, false), aside(0));
  EXPECT_EQ(arrival({arrive(into_output)}, false), out(8));
}

TEST(DirectArrival, LeavesThePlaceToWhatTheRoundNeedsThere) {
  EXPECT_EQ(arrival({arrive({out(8), aside(0), out(8), kOfMessage})}), aside(0));
  EXPECT_EQ(arrival({arrive({out(6), aside(0), out(8), kOfMessage})}), aside(0));
  BoundRound sends_it = arrive(into_output);
  sends_it.sends.push_back(message(out(11), 1));
  EXPECT_EQ(arrival({sends_it}), aside(0));
  BoundRound receives_there = arrive(into_output);
  receives_there.recvs.push_back(message(out(5), kOfMessage));
  EXPECT_EQ(arrival({receives_there}), aside(0));
  BoundRound copies_it_before = arrive(into_output);
  copies_it_before.local.insert(copies_it_before.local.begin(),
                                BoundCopy{out(8), aside(20), kOfMessage});
  EXPECT_EQ(arrival({copies_it_before}), aside(0));
}

TEST(DirectArrival, LeavesWhatIsNeededAgain) {
  const BoundRound reader{.sends = {message(aside(3), 1)}};
  const BoundRound writer{.recvs = {message(aside(0), kOfMessage)}};
  EXPECT_EQ(arrival({arrive(into_output), reader}), aside(0));
  EXPECT_EQ(arrival({arrive(into_output), writer, reader}), out(8));
  BoundRound copies_it_after = arrive(into_output);
  copies_it_after.local.push_back(BoundCopy{aside(0), out(20), kOfMessage});
  EXPECT_EQ(arrival({copies_it_after}), aside(0));
  BoundRound overwrites_it_after = arrive(into_output);
  overwrites_it_after.local.push_back(BoundCopy{in(0), aside(0), kOfMessage});
  EXPECT_EQ(arrival({overwrites_it_after, reader}), out(8));
}

TEST(DirectArrival, LeavesWhatIsNotReducedAsAWhole) {
  EXPECT_EQ(arrival({arrive({in(0), aside(0), out(8), 2})}), aside(0));
  EXPECT_EQ(arrival({arrive({in(0), aside(1), out(8), 3})}), aside(0));
  EXPECT_EQ(arrival({arrive({aside(0), aside(0), out(8), kOfMessage})}), aside(0));
  EXPECT_EQ(arrival({arrive({in(0), aside(0), aside(2), kOfMessage})}), aside(0));
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
