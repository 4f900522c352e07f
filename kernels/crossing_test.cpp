// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/crossing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::kernels {
namespace {

Crossing of(Collective collective, std::string_view name, const Placement& placement, int procs,
            Rank root = {}) {
  const auto [algorithm, params] = find_instance(collective, Variant::parse(name));
  return crossing(*algorithm, {.collective = collective,
                               .procs = procs,
                               .root = root,
                               .params = params,
                               .placement = placement});
}

const Placement kSeq{.procs_per_node = 4, .mapping = Mapping::seq};
const Placement kRr{.procs_per_node = 4, .mapping = Mapping::rr};

TEST(Crossing, OfTheRingIsOneRankOrAllOfEachNode) {
  const double sent = 2 * 15.0 / 16;  // 2 (p - 1) / p m by each rank
  EXPECT_EQ(of(Collective::allreduce, "ring", kSeq, 16), (Crossing{sent, 30}));
  EXPECT_EQ(of(Collective::allreduce, "ring", kRr, 16), (Crossing{4 * sent, 120}));
  EXPECT_EQ(of(Collective::allreduce, "ring:reorder_ranks=seq", kRr, 16), (Crossing{sent, 30}));
}

TEST(Crossing, OfRecursiveDoublingAllgatherIsLeastWhereFarRanksAreMates) {
  // The exchanges at distance 1 and 2 carry 1 and 2 blocks, those at 4 and 8 carry 4 and 8.
  EXPECT_EQ(of(Collective::allgather, "recursive_doubling", kSeq, 16).sent, 4 * (4 + 8) / 16.0);
  EXPECT_EQ(of(Collective::allgather, "recursive_doubling", kRr, 16).sent, 4 * (1 + 2) / 16.0);
}

/// [desensi2025]: over two thirds of the distance, 682 ranks for 1,023 at p = 1,024. Nodes of 2^k
/// ranks suit recursive doubling better all the same.
TEST(Crossing, OfBineIsLessWhereNodesAreNoPowersOfTwo) {
  const auto sent = [](std::string_view name, int per_node) {
    return of(Collective::allreduce, name, {.procs_per_node = per_node}, 1024).sent;
  };
  EXPECT_EQ(sent("recursive_doubling", 100), 464);
  EXPECT_EQ(sent("bine", 100), 370);
  EXPECT_EQ(sent("recursive_doubling", 64), 256);
  EXPECT_GT(sent("bine", 64), 256);
  const Problem first{.collective = Collective::allreduce, .procs = 1024};
  int distance = 0;
  for (const Round& round :
       build_schedule(find_algorithm(first.collective, "bine"), first).rounds) {
    const int to = std::get<Send>(round.comm.front()).to.value;
    distance += std::min(to, first.procs - to);
  }
  EXPECT_EQ(distance, 682);
}

/// The schedules of all ranks, each reordered as it would be run.
Crossing of_whole_schedules(const Algorithm& algorithm, const Problem& problem) {
  const std::vector<Schedule> world = world_of(algorithm, problem);
  const auto node_of = [&](Rank rank) { return problem.placement.node_of(rank, problem.procs); };
  std::map<int, Crossing> of_node;
  for (Rank rank{0}; rank.value < problem.procs; ++rank.value) {
    for (const Round& round : world[static_cast<std::size_t>(rank.value)].rounds) {
      for (const Comm& comm : round.comm) {
        const auto* send = std::get_if<Send>(&comm);
        if (send == nullptr || node_of(send->to) == node_of(rank)) continue;
        of_node[node_of(rank)].sent += send->count;
        if (!send->more) ++of_node[node_of(rank)].messages;
      }
    }
  }
  Crossing most;
  for (const auto& [node, sent] : of_node) {
    most.sent = std::max(most.sent, sent.sent / world[0].blocks);
    most.messages = std::max(most.messages, sent.messages);
  }
  return most;
}

TEST(Crossing, IsThatOfWholeSchedulesOfEveryAlgorithmReorderedAndOnAnyNodes) {
  const Placement irregular{.procs_per_node = 3,
                            .mapping = Mapping::parse("irregular:0.1.0.2.1.2.0.1")};
  for (const Placement& placement : {kSeq, kRr, irregular}) {
    for (const auto& [collective, name] : kCollectives.entries) {
      for (const Algorithm* algorithm : catalogue(collective)) {
        for (const char* params : {"", "reorder_ranks=seq", "reorder_ranks=rr"}) {
          if (!algorithm->reorderable && params != std::string_view{}) continue;
          const Problem problem{.collective = collective,
                                .procs = 8,
                                .root = rooted(collective) ? Rank{3} : Rank{},
                                .params = Params::parse(params),
                                .placement = placement};
          EXPECT_EQ(crossing(*algorithm, problem), of_whole_schedules(*algorithm, problem))
              << name << '/' << algorithm->name << ':' << params << to_text(placement.mapping);
        }
      }
    }
  }
}

TEST(Crossing, OfManyRanksIsOfTheNodesThatSendTheMost) {
  for (const Rank root : {Rank{0}, Rank{500}}) {
    EXPECT_EQ(of(Collective::scatter, "binomial", kSeq, 1024, root).sent, 1020.0 / 1024);
  }
  EXPECT_EQ(of(Collective::allgather, "recursive_doubling", kSeq, 1024).sent, 4 * 1020.0 / 1024);
  EXPECT_EQ(of(Collective::allgather, "recursive_doubling", kRr, 1024).sent, 4 * 255.0 / 1024);
  EXPECT_LT(of(Collective::allreduce, "ring:reorder_ranks=seq", kRr, 1 << 14),
            of(Collective::allreduce, "ring", kRr, 1 << 14));
}

int built = 0;

/// As long as there are ranks, or not.
template <bool Long>
Schedule counted(const Problem& op) {
  ++built;
  Schedule schedule{.blocks = 1, .scratch = {}, .rounds = {}};
  for (int i = 0; i < (Long ? op.procs : 10); ++i) {
    schedule.round({Send{op.ahead(1), input(0)}, Recv{op.behind(1), output(0)}});
  }
  return schedule;
}

TEST(Crossing, ReadsNoMoreRanksWhereThereAreMore) {
  const Algorithm brief{
      .name = "brief", .requirement = kAnyProcs, .build = counted<false>, .source = ""};
  const Algorithm lengthy{
      .name = "lengthy", .requirement = kAnyProcs, .build = counted<true>, .source = ""};
  const auto ranks_read = [](const Algorithm& algorithm, int procs) {
    built = 0;
    const Placement placement{.procs_per_node = 64, .mapping = Mapping::seq};
    EXPECT_GT(crossing(algorithm, {.procs = procs, .placement = placement}).messages, 0);
    return built - 1;  // one to see how long they are
  };
  EXPECT_EQ(ranks_read(brief, 512), 512);
  EXPECT_EQ(ranks_read(lengthy, 512), 512);
  EXPECT_EQ(ranks_read(brief, 1 << 16), 64 * 12);  // of nodes 0, 1, 2, 4 ... 512, 1023
  EXPECT_EQ(ranks_read(lengthy, 1 << 16), 2 * 4);
}

TEST(Crossing, IsNothingOnOneNode) {
  EXPECT_EQ(of(Collective::allreduce, "ring", {}, 8), (Crossing{0, 0}));
}

TEST(Crossing, IsLessWithLessSentAndThenWithFewerMessages) {
  EXPECT_LT((Crossing{1, 9}), (Crossing{2, 1}));
  EXPECT_LT((Crossing{1, 1}), (Crossing{1, 2}));
}

}  // namespace
}  // namespace breakeven::kernels
