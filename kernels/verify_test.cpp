// SPDX-License-Identifier: BSD-3-Clause
// Each kind of mistake that the verifier claims to find, made once in a schedule that was right.
#include "kernels/verify.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::kernels {
namespace {

using World = std::vector<Schedule>;

/// The error of verify for the allreduce ring on 3 ranks after `mistake`; empty without one.
std::string verdict_after(const std::function<void(World&)>& mistake) {
  World world = world_of(find_algorithm(Collective::allreduce, "ring"),
                         {.collective = Collective::allreduce, .procs = 3});
  mistake(world);
  try {
    static_cast<void>(
        verify({.collective = Collective::allreduce, .procs = 3, .me = {}, .root = {}}, world));
    return {};
  } catch (const VerificationError& error) {
    return error.what();
  }
}

Send& send_of(World& world, std::size_t rank, std::size_t round) {
  return std::get<Send>(world[rank].rounds[round].comm[0]);
}
Recv& recv_of(World& world, std::size_t rank, std::size_t round) {
  return std::get<Recv>(world[rank].rounds[round].comm[1]);
}
Reduce& reduce_of(World& world, std::size_t rank, std::size_t round) {
  return std::get<Reduce>(world[rank].rounds[round].local[0]);
}

TEST(Verify, AcceptsTheRing) {
  EXPECT_EQ(verdict_after([](World&) {}), "");
}

TEST(Verify, FindsAWrongPeer) {
  EXPECT_EQ(verdict_after([](World& world) { send_of(world, 1, 1).to = Rank{0}; }),
            "p = 3, rank 0, round 2: waits for ever: deadlock, or a message that nobody matches");
}

TEST(Verify, FindsAMessageToOneself) {
  EXPECT_EQ(verdict_after([](World& world) { send_of(world, 1, 1).to = Rank{1}; }),
            "p = 3, rank 1, round 1: has a message with rank 1");
}

/// Of an allgather of 4 ranks that sends blocks 0 and 2, or 1 and 3, in one message.
World in_runs() {
  World world(4, Schedule{.blocks = 4});
  for (int me = 0; me < 4; ++me) {
    Schedule& schedule = world[static_cast<std::size_t>(me)];
    schedule.round({}, {Copy{input(0), output(me)}});
    schedule.round({Send{Rank{me ^ 2}, output(me)}, Recv{Rank{me ^ 2}, output(me ^ 2)}});
    const int odd = me % 2;
    Round& last = schedule.rounds.emplace_back();
    last.send(Rank{me ^ 1}, Buffer::output, std::vector<BlockRange>{{odd, 1}, {odd + 2, 1}});
    last.recv(Rank{me ^ 1}, Buffer::output, std::vector<BlockRange>{{1 - odd, 1}, {3 - odd, 1}});
  }
  return world;
}

std::string verdict_of_runs(const std::function<void(std::vector<Comm>&)>& mistake) {
  World world = in_runs();
  mistake(world[1].rounds.back().comm);
  try {
    static_cast<void>(verify({.collective = Collective::allgather, .procs = 4}, world));
    return {};
  } catch (const VerificationError& error) {
    return error.what();
  }
}

TEST(Verify, AcceptsAMessageOfSeveralRuns) {
  EXPECT_EQ(verdict_of_runs([](auto&) {}), "");
}

TEST(Verify, FindsWhatIsWrongWithRuns) {
  EXPECT_EQ(verdict_of_runs([](auto& comm) { std::get<Send>(comm[1]).more = true; }),
            "p = 4, rank 1, round 2: has a message of several ranks, directions or buffers");
  EXPECT_EQ(verdict_of_runs([](auto& comm) { std::get<Recv>(comm[3]).more = true; }),
            "p = 4, rank 1, round 2: has a message that goes on with nothing");
  EXPECT_EQ(verdict_of_runs([](auto& comm) { std::get<Send>(comm[1]).from = input(0); }),
            "p = 4, rank 1, round 2: has a message of several ranks, directions or buffers");
  EXPECT_EQ(verdict_of_runs([](auto& comm) { comm.erase(comm.begin() + 1); }),
            "p = 4, rank 1, round 2: has a message of several ranks, directions or buffers");
  EXPECT_EQ(verdict_of_runs([](auto& comm) { std::get<Send>(comm[0]).more = false; }),
            "p = 4, rank 0, round 2: expects 2 blocks from rank 1, which sends 1");
  EXPECT_EQ(verdict_of_runs([](auto& comm) { std::swap(comm[0], comm[1]); }),
            "p = 4, rank 1, round 2: has a message of several ranks, directions or buffers");
}

TEST(Verify, FindsAMessageThatNobodyReceives) {
  EXPECT_EQ(verdict_after([](World& world) {
              world[2].rounds.back().comm.push_back(Send{Rank{0}, output(0)});
            }),
            "p = 3, rank 2, round 3: waits for ever: deadlock, or a message that nobody matches");
}

TEST(Verify, FindsADeadlockThatBufferingWouldHide) {
  // Send, then receive: every rank waits for the next one to post its receive.
  const auto split = [](World& world) {
    for (Schedule& schedule : world) {
      Round& first = schedule.rounds[0];
      Round receive{.comm = {first.comm[1]}, .local = first.local};
      first = {.comm = {first.comm[0]}, .local = {}};
      schedule.rounds.insert(schedule.rounds.begin() + 1, receive);
    }
  };
  EXPECT_EQ(verdict_after(split),
            "p = 3, rank 0, round 0: waits for ever: deadlock, or a message that nobody matches");
}

TEST(Verify, FindsAMessageOfAnotherLength) {
  EXPECT_EQ(verdict_after([](World& world) {
              world[0].scratch[0].count = 2;
              recv_of(world, 0, 0).count = 2;
            }),
            "p = 3, rank 0, round 0: expects 2 blocks from rank 2, which sends 1");
}

TEST(Verify, FindsAReadOfAnEmptyBlock) {
  EXPECT_EQ(verdict_after([](World& world) { send_of(world, 2, 0).from = output(2); }),
            "p = 3, rank 2, round 0: reads output 2 before it is filled");
}

TEST(Verify, FindsAWriteToTheInput) {
  EXPECT_EQ(verdict_after([](World& world) { reduce_of(world, 0, 0).into = input(2); }),
            "p = 3, rank 0, round 0: writes input 2");
}

TEST(Verify, FindsABlockOutsideItsBuffer) {
  EXPECT_EQ(verdict_after([](World& world) { recv_of(world, 0, 0).into = scratch(1); }),
            "p = 3, rank 0, round 0: touches scratch 1, the buffer has 1 blocks");
}

TEST(Verify, FindsAReceiveOverABlockThatIsBeingSent) {
  EXPECT_EQ(verdict_after([](World& world) { recv_of(world, 0, 2).into = output(1); }),
            "p = 3, rank 0, round 2: receives into output 1, which another message uses");
}

TEST(Verify, FindsABlockInAPlaceSizedForAnother) {
  EXPECT_EQ(verdict_after([](World& world) { reduce_of(world, 0, 0).into = output(1); }),
            "p = 3, rank 0, round 0: puts block 2 into output 1, which is sized for block 1");
}

TEST(Verify, FindsAContributionCountedTwice) {
  EXPECT_EQ(verdict_after([](World& world) {
              Round& round = world[1].rounds[0];
              round.local.push_back(round.local.front());
              std::get<Reduce>(round.local.back()).b = output(0);
            }),
            "p = 3, rank 1, round 0: counts the contribution of rank 0 to block 0 twice");
}

TEST(Verify, FindsAMissingContribution) {
  EXPECT_EQ(verdict_after([](World& world) {
              for (Schedule& schedule : world) schedule.rounds.erase(schedule.rounds.begin() + 1);
              for (Schedule& schedule : world) {
                for (Round& round : schedule.rounds) round.local.clear();
                for (int block = 0; block < 3; ++block) {
                  schedule.local(Copy{input(block), output(block)});
                }
              }
            }).substr(0, 31),
            "p = 3, rank 0, round 1: reads o");
}

TEST(Verify, FindsAResultWithoutEveryContribution) {
  World world(2);
  for (Schedule& schedule : world) schedule.local(Copy{input(0), output(0)});
  try {
    static_cast<void>(
        verify({.collective = Collective::allreduce, .procs = 2, .me = {}, .root = {}}, world));
    FAIL() << "a sum of one was accepted as the sum of two";
  } catch (const VerificationError& error) {
    EXPECT_STREQ(error.what(),
                 "p = 2, rank 0, round 1: ends with 1 of 2 contributions in output 0");
  }
}

TEST(Verify, FindsReductionsOfDifferentBlocks) {
  EXPECT_EQ(verdict_after([](World& world) { reduce_of(world, 0, 0).b = input(1); }),
            "p = 3, rank 0, round 0: reduces block 2 with block 1");
}

TEST(Verify, FindsAResultThatOverlapsAnOperandInPart) {
  World world(1);
  world[0] = {.blocks = 2, .scratch = {{0, 2}, {0, 2}}, .rounds = {}};
  world[0].local(Copy{input(0), scratch(0), 2});
  world[0].local(Copy{scratch(0), scratch(1), 2});
  EXPECT_THROW(static_cast<void>(verify(
                   {.collective = Collective::allreduce, .procs = 1, .me = {}, .root = {}}, world)),
               VerificationError);
}

/// The error for another collective's algorithm at p = 4.
std::string verdict_after(Collective collective, std::string_view name,
                          const std::function<void(World&)>& mistake) {
  const Problem problem{.collective = collective, .procs = 4};
  World world = world_of(find_algorithm(collective, name), problem);
  mistake(world);
  try {
    static_cast<void>(verify(problem, world));
    return {};
  } catch (const VerificationError& error) {
    return error.what();
  }
}

TEST(Verify, FindsAScanThatLacksARankOrHasALaterOne) {
  const auto lost = [](World& world) { world[2].rounds.back().local.clear(); };
  EXPECT_EQ(verdict_after(Collective::scan, "doubling", lost),
            "p = 4, rank 2, round 2: ends with other contributions than those of ranks 0 to 2 in "
            "output 0");
  // Rank 1 also adds what rank 2 has of its own.
  const auto later = [](World& world) {
    world[2].rounds.push_back({.comm = {Send{Rank{1}, input(0)}}, .local = {}});
    world[1].rounds.push_back(
        {.comm = {Recv{Rank{2}, scratch(0)}}, .local = {Reduce{output(0), scratch(0), output(0)}}});
  };
  EXPECT_NE(verdict_after(Collective::scan, "doubling", later).find("ranks 0 to 1"),
            std::string::npos);
  const auto own = [](World& world) {
    world[1].rounds.back().local.emplace_back(Reduce{output(0), input(0), output(0)});
  };
  EXPECT_NE(verdict_after(Collective::exscan, "shifted_doubling", own).find("ranks 0 to 0"),
            std::string::npos);
}

TEST(Verify, FindsABlockOfAnExchangeFromAnotherSourceOrForAnotherRank) {
  const auto swapped = [](World& world) {
    recv_of(world, 0, 1).into = output(2);
    recv_of(world, 0, 2).into = output(1);
  };
  EXPECT_EQ(verdict_after(Collective::alltoall, "pairwise", swapped),
            "p = 4, rank 0, round 4: ends with data not of rank 1 in output 1");
  const auto misled = [](World& world) { send_of(world, 1, 1).from = input(2); };
  EXPECT_EQ(verdict_after(Collective::alltoall, "pairwise", misled),
            "p = 4, rank 0, round 4: ends with block 2 in output 1");
}

TEST(Verify, SaysWhetherOperandsKeepRankOrder) {
  const Problem problem{.collective = Collective::allreduce, .procs = 4, .me = {}, .root = {}};
  World world = world_of(find_algorithm(Collective::allreduce, "recursive_doubling"),
                         {.collective = Collective::allreduce, .procs = 4});
  EXPECT_TRUE(verify(problem, world).in_rank_order);
  std::swap(reduce_of(world, 3, 1).a, reduce_of(world, 3, 1).b);
  EXPECT_FALSE(verify(problem, world).in_rank_order);
}

}  // namespace
}  // namespace breakeven::kernels
