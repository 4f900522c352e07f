// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "executor/bound_schedule.hpp"
#include "executor/testing.hpp"

namespace breakeven::executor {
namespace {

using namespace testing;

constexpr int kOfMessage = 4;

BoundRound arrive(kernels::Reduce reduce) {
  return {.recvs = {message(aside(0), kOfMessage)},
          .sends = {message(in(0), kOfMessage)},
          .local = {reduce}};
}

/// Where the first round's message arrives.
kernels::Location arrival(std::vector<BoundRound> rounds, bool commutative = true) {
  const BoundSchedule directed = with_direct_arrivals({.rounds = std::move(rounds)}, commutative);
  const BoundMessage& recv = directed.rounds.at(0).recvs.at(0);
  return {recv.buffer, recv.runs.at(0).first};
}

const kernels::Reduce into_output{in(0), aside(0), out(8), kOfMessage};

TEST(DirectArrival, ReceivesWhereTheResultWillBe) {
  const BoundSchedule directed = with_direct_arrivals({.rounds = {arrive(into_output)}}, true);
  const BoundRound& round = directed.rounds.at(0);
  EXPECT_EQ(round.recvs.at(0).buffer, kernels::Buffer::output);
  EXPECT_EQ(round.recvs[0].runs, (std::vector<kernels::BlockRange>{{8, kOfMessage}}));
  const auto& reduce = std::get<kernels::Reduce>(round.local.at(0));
  EXPECT_EQ(reduce.a, in(0));
  EXPECT_EQ(reduce.b, out(8));
  EXPECT_EQ(reduce.into, out(8));
}

TEST(DirectArrival, LeavesTheFirstOperandOfAnOperationThatDoesNotCommute) {
  const kernels::Reduce first{aside(0), in(0), out(8), kOfMessage};
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
                                kernels::Copy{out(8), aside(20), kOfMessage});
  EXPECT_EQ(arrival({copies_it_before}), aside(0));
}

TEST(DirectArrival, LeavesWhatIsNeededAgain) {
  const BoundRound reader{.sends = {message(aside(3), 1)}};
  const BoundRound writer{.recvs = {message(aside(0), kOfMessage)}};
  EXPECT_EQ(arrival({arrive(into_output), reader}), aside(0));
  EXPECT_EQ(arrival({arrive(into_output), writer, reader}), out(8));
  BoundRound copies_it_after = arrive(into_output);
  copies_it_after.local.push_back(kernels::Copy{aside(0), out(20), kOfMessage});
  EXPECT_EQ(arrival({copies_it_after}), aside(0));
  BoundRound overwrites_it_after = arrive(into_output);
  overwrites_it_after.local.push_back(kernels::Copy{in(0), aside(0), kOfMessage});
  EXPECT_EQ(arrival({overwrites_it_after, reader}), out(8));
}

TEST(DirectArrival, LeavesWhatIsNotReducedAsAWhole) {
  EXPECT_EQ(arrival({arrive({in(0), aside(0), out(8), 2})}), aside(0));
  EXPECT_EQ(arrival({arrive({in(0), aside(1), out(8), 3})}), aside(0));
  EXPECT_EQ(arrival({arrive({aside(0), aside(0), out(8), kOfMessage})}), aside(0));
  EXPECT_EQ(arrival({arrive({in(0), aside(0), aside(2), kOfMessage})}), aside(0));
}

std::vector<kernels::Local> in_two_operands(const kernels::Reduce& reduce, bool commutative) {
  const int count = reduce.count;
  BoundSchedule schedule{.slots = std::vector<int>(100, BoundSchedule::kAnyBlock),
                         .rounds = {{.local = {reduce, reduce}}}};
  schedule = with_two_operands(std::move(schedule), commutative);
  const bool room = !commutative && reduce.into == reduce.a;
  EXPECT_EQ(std::ssize(schedule.slots), room ? 100 + count : 100);
  std::vector<kernels::Local>& steps = schedule.rounds.at(0).local;
  steps.resize(steps.size() / 2);
  return steps;
}

TEST(TwoOperands, KeepTheOrderOfAnOperationThatDoesNotCommute) {
  const kernels::Reduce direct{out(0), aside(0), aside(0), 7};
  EXPECT_EQ(in_two_operands(direct, false).size(), 1U);

  const auto apart = in_two_operands({out(0), aside(0), out(50), 7}, false);
  ASSERT_EQ(apart.size(), 2U);
  EXPECT_EQ(std::get<kernels::Copy>(apart[0]), (kernels::Copy{aside(0), out(50), 7}));
  EXPECT_EQ(std::get<kernels::Reduce>(apart[1]), (kernels::Reduce{out(0), out(50), out(50), 7}));

  const kernels::Reduce into_first{out(0), aside(0), out(0), 7};
  const auto through_room = in_two_operands(into_first, false);
  ASSERT_EQ(through_room.size(), 3U);
  EXPECT_EQ(std::get<kernels::Copy>(through_room[0]).into, aside(100));
  EXPECT_EQ(std::get<kernels::Reduce>(through_room[1]),
            (kernels::Reduce{out(0), aside(100), aside(100), 7}));
  EXPECT_EQ(std::get<kernels::Copy>(through_room[2]).into, out(0));

  const auto swapped = in_two_operands(into_first, true);
  ASSERT_EQ(swapped.size(), 1U);
  EXPECT_EQ(std::get<kernels::Reduce>(swapped[0]), (kernels::Reduce{aside(0), out(0), out(0), 7}));
}

}  // namespace
}  // namespace breakeven::executor
