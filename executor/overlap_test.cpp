// SPDX-License-Identifier: BSD-3-Clause
// Messages of several runs in one place, and local steps while messages are under way: every
// algorithm gives the same result with both, in every order in which MPI may read and write.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <vector>

#include "executor/bound_schedule.hpp"
#include "executor/testing.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::executor {
namespace {

using namespace testing;
using Data = std::vector<std::uint64_t>;
constexpr std::uint64_t kUnderWay = 0xBAD;

/// The ranks of bound schedules at work, a number for each block, which says what was done to it.
/// The place of an arrival reads as none; data that leave must not change.
class Job {
 public:
  Job(std::vector<BoundSchedule> schedules, bool in_place)
      : schedules_{std::move(schedules)}, ranks_(schedules_.size()), in_place_{in_place} {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      const auto longest = static_cast<std::size_t>(schedules_[rank].blocks);
      ranks_[rank].memory = {Data(longest), Data(longest), Data(schedules_[rank].slots.size())};
      for (std::size_t i = 0; i < longest; ++i) {
        cell(ranks_[rank], in(static_cast<int>(i))) = 1 + (rank + 1) * 1000 + i;
      }
    }
  }

  /// The outputs of all ranks.
  [[nodiscard]] std::vector<Data> run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) moved = advance(rank) || moved;
    }
    std::vector<Data> outputs;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      EXPECT_EQ(ranks_[rank].round, schedules_[rank].rounds.size()) << "rank " << rank << " hangs";
      outputs.push_back(ranks_[rank].memory[1]);
    }
    return outputs;
  }

 private:
  struct RankState {
    std::array<Data, 3> memory;
    std::size_t round = 0;
    bool posted = false;
  };

  bool advance(std::size_t rank) {
    RankState& state = ranks_[rank];
    if (state.round == schedules_[rank].rounds.size()) return false;
    const BoundRound& round = schedules_[rank].rounds[state.round];
    if (!state.posted) return post(rank, round), true;
    std::map<int, std::size_t> needed;
    for (const BoundMessage& recv : round.recvs) ++needed[recv.peer];
    for (const auto& [peer, messages] : needed) {
      if (wires_[{peer, static_cast<int>(rank)}].size() < messages) return false;
    }
    for (const BoundMessage& recv : round.recvs) {
      std::deque<Data>& wire = wires_[{recv.peer, static_cast<int>(rank)}];
      write(state, recv, wire.front());
      wire.pop_front();
    }
    for (const kernels::Local& step : round.local) perform(state, step);
    state.posted = false;
    ++state.round;
    return true;
  }

  void post(std::size_t rank, const BoundRound& round) {
    RankState& state = ranks_[rank];
    std::vector<Data> leaving;
    for (const BoundMessage& send : round.sends) leaving.push_back(read(state, send));
    for (const BoundMessage& recv : round.recvs) write(state, recv, {});
    for (const kernels::Local& step : round.meanwhile) perform(state, step);
    for (std::size_t i = 0; i < round.sends.size(); ++i) {
      EXPECT_EQ(read(state, round.sends[i]), leaving[i]) << "changed while it leaves";
      wires_[{static_cast<int>(rank), round.sends[i].peer}].push_back(leaving[i]);
    }
    state.posted = true;
  }

  [[nodiscard]] std::uint64_t& cell(RankState& state, kernels::Location at) const {
    if (in_place_ && at.buffer == kernels::Buffer::input) at.buffer = kernels::Buffer::output;
    return state.memory[static_cast<std::size_t>(at.buffer)].at(static_cast<std::size_t>(at.block));
  }
  [[nodiscard]] Data read(RankState& state, const BoundMessage& message) const {
    Data data;
    for (const auto& [first, count] : message.runs) {
      for (int i = 0; i < count; ++i) data.push_back(cell(state, {message.buffer, first + i}));
    }
    return data;
  }
  /// @param data  may be shorter than the room; none: it is under way
  void write(RankState& state, const BoundMessage& message, const Data& data) const {
    std::size_t next = 0;
    for (const auto& [first, count] : message.runs) {
      for (int i = 0; i < count; ++i, ++next) {
        if (!data.empty() && next >= data.size()) return;
        cell(state, {message.buffer, first + i}) = data.empty() ? kUnderWay : data[next];
      }
    }
  }
  void perform(RankState& state, const kernels::Local& local) const {
    const auto at = [&](kernels::Location place, int i) -> std::uint64_t& {
      return cell(state, {place.buffer, place.block + i});
    };
    if (const auto* copy = std::get_if<kernels::Copy>(&local)) {
      for (int i = 0; i < copy->count; ++i) at(copy->into, i) = at(copy->from, i);
      return;
    }
    const auto& [a, b, into, count] = std::get<kernels::Reduce>(local);
    for (int i = 0; i < count; ++i) at(into, i) = 31 * at(a, i) + 17 * at(b, i);
  }

  std::vector<BoundSchedule> schedules_;
  std::vector<RankState> ranks_;
  bool in_place_;
  std::map<std::pair<int, int>, std::deque<Data>> wires_;  // by sender and receiver
};

std::vector<BoundSchedule> bound_world(kernels::Problem problem,
                                       const kernels::Algorithm& algorithm, const Form& form) {
  std::vector<BoundSchedule> bound;
  for (kernels::Schedule& schedule : kernels::world_of(algorithm, problem)) {
    problem.me = {static_cast<int>(bound.size())};
    bound.push_back(bind_schedule(std::move(schedule), problem, form));
  }
  return bound;
}

/// Steps meanwhile, of all ranks.
std::size_t compare(const kernels::Problem& problem, const kernels::Algorithm& algorithm,
                    bool in_place) {
  std::vector<BoundSchedule> world = bound_world(problem, algorithm, {.in_place = in_place});
  const std::vector<Data> expected = Job{world, in_place}.run();
  std::size_t meanwhile = 0;
  for (BoundSchedule& schedule : world) {
    schedule = with_direct_arrivals(std::move(schedule), false);
    schedule = with_packed_runs(std::move(schedule), 3);
    schedule = with_overlap(std::move(schedule), 1);
    for (const BoundRound& round : schedule.rounds) meanwhile += round.meanwhile.size();
  }
  EXPECT_EQ(Job(std::move(world), in_place).run(), expected)
      << kCollectives.of(problem.collective) << "/" << algorithm.name << ":"
      << problem.params.text() << " p = " << problem.procs << (in_place ? " in place" : "");
  return meanwhile;
}

TEST(Overlap, ChangesNoResultOfAnyAlgorithm) {
  std::size_t meanwhile = 0;
  for (const auto& [collective, name] : kCollectives.entries) {
    if (!moves_data(collective) || irregular(collective)) continue;
    for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
      for (const int procs : {2, 3, 5, 8}) {
        for (const kernels::Problem& problem :
             kernels::problems_to_prove(collective, *algorithm, procs)) {
          const bool one_buffer = collective == Collective::bcast;
          if (!one_buffer) meanwhile += compare(problem, *algorithm, false);
          if (one_buffer || !rooted(collective)) meanwhile += compare(problem, *algorithm, true);
        }
      }
    }
  }
  EXPECT_GT(meanwhile, 1000U);
}

BoundRound exchange(kernels::Location from, kernels::Location into) {
  return {.recvs = {message(into, 4)}, .sends = {message(from, 4)}};
}

BoundSchedule overlapped(std::vector<BoundRound> rounds) {
  return with_overlap({.rounds = std::move(rounds)}, 4);
}

TEST(Overlap, SendsTheOriginWhileItIsCopied) {
  const BoundSchedule schedule =
      overlapped({{.local = {kernels::Copy{in(0), out(0), 4}}}, exchange(out(0), out(4))});
  EXPECT_TRUE(schedule.rounds[0].local.empty());
  EXPECT_EQ(schedule.rounds[1].sends[0].buffer, kernels::Buffer::input);
  EXPECT_EQ(schedule.rounds[1].meanwhile.size(), 1U);
}

TEST(Overlap, LeavesWhatMessagesNeed) {
  BoundRound reads = exchange(in(0), out(4));
  reads.local = {kernels::Copy{out(4), out(8), 4}};
  EXPECT_TRUE(overlapped({reads}).rounds[0].meanwhile.empty());
  BoundRound writes = exchange(out(0), out(4));
  writes.local = {kernels::Copy{in(0), out(0), 4}};
  EXPECT_TRUE(overlapped({writes}).rounds[0].meanwhile.empty());
  BoundRound over = exchange(in(0), out(4));
  over.local = {kernels::Copy{in(0), out(6), 4}};
  EXPECT_TRUE(overlapped({over}).rounds[0].meanwhile.empty());
}

TEST(Overlap, LeavesStepsInTheirOrder) {
  BoundRound round = exchange(in(0), out(4));
  round.local = {kernels::Copy{out(4), out(8), 4}, kernels::Copy{in(0), out(8), 4}};
  EXPECT_TRUE(overlapped({round}).rounds[0].meanwhile.empty());
}

TEST(Overlap, LeavesShortSteps) {
  BoundRound round = exchange(in(0), out(4));
  round.local = {kernels::Copy{in(0), out(0), 3}};
  EXPECT_TRUE(overlapped({round}).rounds[0].meanwhile.empty());
}

TEST(Overlap, SendsNothingFromSlotsOfAnySize) {
  BoundSchedule schedule{
      .slots = std::vector<int>(4, BoundSchedule::kAnyBlock),
      .rounds = {{.local = {kernels::Copy{aside(0), out(0), 4}}}, exchange(out(0), out(4))}};
  schedule = with_overlap(std::move(schedule), 4);
  EXPECT_EQ(schedule.rounds[1].sends[0].buffer, kernels::Buffer::output);
}

TEST(PackedRuns, LieInOnePlaceOfScratch) {
  BoundSchedule schedule{.slots = {0, 1, 2, 3, 4},
                         .rounds = {{.recvs = {{1, kernels::Buffer::output, {{0, 2}, {8, 2}}}},
                                     .sends = {{1, kernels::Buffer::input, {{4, 1}, {1, 2}}}}}}};
  const BoundSchedule left = with_packed_runs(schedule, 2);
  EXPECT_EQ(left.rounds.size(), 1U);
  schedule = with_packed_runs(std::move(schedule), 4);
  ASSERT_EQ(schedule.rounds.size(), 2U);
  EXPECT_EQ(schedule.slots, (std::vector<int>{0, 1, 2, 3, 4, 4, 1, 2, 0, 1, 8, 9}));
  EXPECT_EQ(schedule.rounds[0].local.size(), 2U);
  const BoundMessage& sent = schedule.rounds[1].sends.at(0);
  EXPECT_EQ(sent.buffer, kernels::Buffer::scratch);
  EXPECT_EQ(sent.runs, (std::vector<kernels::BlockRange>{{5, 3}}));
  EXPECT_EQ(schedule.rounds[1].recvs.at(0).runs, (std::vector<kernels::BlockRange>{{8, 4}}));
  EXPECT_EQ(std::get<kernels::Copy>(schedule.rounds[1].local.at(1)).into, out(8));
}

}  // namespace
}  // namespace breakeven::executor
