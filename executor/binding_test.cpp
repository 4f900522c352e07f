// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "executor/bound_schedule.hpp"
#include "executor/testing.hpp"

namespace breakeven::executor {
namespace {

using namespace testing;
using kernels::BlockRange;
using kernels::Copy;
using kernels::Recv;
using kernels::Reduce;
using kernels::Send;

/// Rank 1 of 3.
kernels::Problem problem(Collective collective = Collective::allreduce) {
  return {.collective = collective, .procs = 3, .me = Rank{1}, .root = {}};
}

kernels::Schedule of_step(const kernels::Local& step,
                          std::vector<kernels::ScratchRun> scratch = {}) {
  return {.blocks = 3, .scratch = std::move(scratch), .rounds = {{.local = {step}}}};
}
kernels::Schedule of_step(const kernels::Comm& step,
                          std::vector<kernels::ScratchRun> scratch = {}) {
  return {.blocks = 3, .scratch = std::move(scratch), .rounds = {{.comm = {step}}}};
}

std::string refusal(const kernels::Schedule& schedule,
                    Collective collective = Collective::allreduce) {
  try {
    static_cast<void>(bind_schedule(schedule, problem(collective)));
  } catch (const Error& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(Binding, JoinsNeighboursAmongTheRunsOfAMessage) {
  kernels::Schedule schedule{.blocks = 3, .scratch = {}, .rounds = {{}}};
  const std::vector<BlockRange> first_and_last{{0, 1}, {2, 1}};
  schedule.rounds[0].send(Rank{0}, kernels::Buffer::input, first_and_last);
  schedule.rounds[0].comm.emplace_back(Recv{Rank{2}, out(0), 1, true});
  schedule.rounds[0].comm.emplace_back(Recv{Rank{2}, out(1), 2});
  const BoundSchedule bound = bind_schedule(schedule, problem());
  ASSERT_EQ(bound.rounds[0].sends.size(), 1);
  EXPECT_EQ(bound.rounds[0].sends[0].runs, first_and_last);
  EXPECT_EQ(bound.rounds[0].sends[0].peer, 0);
  EXPECT_EQ(bound.rounds[0].recvs.at(0).runs, (std::vector<BlockRange>{{0, 3}}));
}

TEST(Binding, RefusesRunsInSeveralBuffersOrInSlotsOfAnySize) {
  kernels::Schedule schedule{.blocks = 3, .scratch = {{}}, .rounds = {{}}};
  std::vector<kernels::Comm>& comm = schedule.rounds[0].comm;
  comm = {Send{Rank{0}, in(0), 1, true}, Send{Rank{0}, out(1)}};
  EXPECT_EQ(refusal(schedule), "the schedule has a message of several buffers");
  comm = {Recv{Rank{0}, aside(0), 1, true}, Recv{Rank{0}, aside(0)}};
  EXPECT_EQ(refusal(schedule), "the schedule receives runs in scratch that takes any block");
}

TEST(Binding, KnowsTheBlockOfEachPlace) {
  BoundSchedule bound =
      bind_schedule(of_step(kernels::Local{Copy{in(0), out(1)}}, {{}, {.first_block = 1}}),
                    problem(Collective::allgather));
  EXPECT_EQ(bound.block_at(in(0)), 1);
  EXPECT_EQ(bound.block_at(out(2)), 2);
  EXPECT_EQ(bound.slots, (std::vector<int>{BoundSchedule::kAnyBlock, 1}));
  EXPECT_EQ(bound.add_slots(out(1), 2), aside(2));
  EXPECT_EQ(bound.block_at(aside(3)), 2);
}

TEST(Binding, KeepsABufferAsideWhoseElementsItWouldCut) {
  const kernels::Schedule sends = of_step(kernels::Comm{Send{Rank{2}, in(0), 2}});
  const BoundSchedule cut = bind_schedule(sends, problem(), {.cuts_input = true});
  EXPECT_EQ(cut.slots, (std::vector<int>{0, 1, 2}));
  ASSERT_EQ(cut.rounds.size(), 2U);
  EXPECT_EQ(std::get<Copy>(cut.rounds[0].local.at(0)), (Copy{in(0), aside(0), 3}));
  EXPECT_EQ(cut.rounds[1].sends.at(0).buffer, kernels::Buffer::scratch);
  EXPECT_TRUE(bind_schedule(sends, problem()).slots.empty());
}

/// An allreduce of one block, which receives its output before or after it sends its input.
BoundSchedule in_place_exchange(bool late) {
  const kernels::Round recv{.comm = {Recv{Rank{0}, out(0)}}};
  const kernels::Round send{.comm = {Send{Rank{0}, in(0)}}};
  kernels::Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {recv, send}};
  if (!late) std::swap(schedule.rounds[0], schedule.rounds[1]);
  return bind_schedule(std::move(schedule), problem(), {.in_place = true});
}

TEST(Binding, FindsTheInputInTheOutputOrKeepsItAside) {
  const BoundSchedule late = in_place_exchange(true);
  ASSERT_EQ(late.rounds.size(), 3U);
  EXPECT_EQ(std::get<Copy>(late.rounds[0].local.at(0)), (Copy{out(0), aside(0), 1}));
  EXPECT_EQ(late.rounds[2].sends.at(0).buffer, kernels::Buffer::scratch);
  const BoundSchedule early = in_place_exchange(false);
  ASSERT_EQ(early.rounds.size(), 2U);
  EXPECT_EQ(early.rounds[0].sends.at(0).buffer, kernels::Buffer::output);
  EXPECT_TRUE(early.slots.empty());
}

TEST(Binding, LeavesOutCopiesOfTheInputToItself) {
  const kernels::Schedule own = of_step(kernels::Local{Copy{in(0), out(1)}});
  const kernels::Problem gathers = problem(Collective::allgather);
  EXPECT_EQ(bind_schedule(own, gathers).rounds.size(), 1U);
  EXPECT_TRUE(bind_schedule(own, gathers, {.in_place = true}).rounds.empty());
}

TEST(Binding, LeavesOutWritesOfAnUnwantedOutput) {
  const kernels::Problem scatters{
      .collective = Collective::scatter, .procs = 3, .me = Rank{0}, .root = {}};
  kernels::Schedule schedule = of_step(kernels::Local{Copy{in(0), out(0)}});
  schedule.rounds[0].comm.emplace_back(Send{Rank{1}, in(1)});
  const BoundSchedule left = bind_schedule(schedule, scatters, {.output_unwanted = true});
  EXPECT_TRUE(left.rounds.at(0).local.empty());
  schedule.round({Send{Rank{2}, out(0)}});
  const BoundSchedule aside = bind_schedule(schedule, scatters, {.output_unwanted = true});
  EXPECT_EQ(std::get<Copy>(aside.rounds.at(0).local.at(0)).into, kernels::scratch(0));
}

TEST(Binding, RefusesASchedulesMistakesByName) {
  EXPECT_EQ(refusal(of_step(kernels::Comm{Send{Rank{0}, out(2), 2}})),
            "the schedule names 2 blocks of its output from block 2, of 3");
  EXPECT_EQ(refusal(of_step(kernels::Comm{Send{Rank{0}, in(-1), 1}})),
            "the schedule names 1 blocks of its input from block -1, of 3");
  EXPECT_EQ(refusal(of_step(kernels::Comm{Recv{Rank{0}, aside(0), 1}})),
            "the schedule names 1 slots of its scratch from slot 0, of 0");
  EXPECT_EQ(refusal(of_step(kernels::Comm{Send{Rank{0}, aside(0), 1}}, {{}})),
            "the schedule sends from scratch that takes any block");
  EXPECT_EQ(refusal(of_step(kernels::Comm{Recv{Rank{0}, in(0), 1}})),
            "the schedule writes its input");
  EXPECT_EQ(refusal(of_step(kernels::Comm{Send{Rank{3}, out(0), 1}})),
            "the schedule names rank 3 of 3 processes");
  EXPECT_EQ(
      refusal(of_step(kernels::Comm{Recv{Rank{0}, aside(0), 1}}, {{.first_block = 3, .count = 1}})),
      "the schedule's scratch names 1 blocks from block 3, of 3");
  EXPECT_EQ(refusal(of_step(kernels::Local{Reduce{in(0), in(0), out(0)}}), Collective::alltoall),
            "the schedule reduces where nothing is to be reduced");
}

TEST(Binding, RefusesBlocksThatDoNotCutTheShares) {
  EXPECT_EQ(refusal({.blocks = 4, .scratch = {}, .rounds = {}}, Collective::allgather),
            "a schedule of 4 blocks does not cut allgather among 3 processes");
}

}  // namespace
}  // namespace breakeven::executor
