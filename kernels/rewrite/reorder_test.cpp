// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <utility>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {
namespace {

Problem on_nodes(int procs, int procs_per_node, const Mapping& mapping = Mapping::rr) {
  return {.collective = Collective::allreduce,
          .procs = procs,
          .placement = {.procs_per_node = procs_per_node, .mapping = mapping}};
}

std::vector<int> roles(std::string_view how, const Problem& problem) {
  std::vector<int> values;
  for (const Rank role : roles_of(how, problem)) values.push_back(role.value);
  return values;
}

TEST(ReorderRanks, GivesTheRolesOfThePapersFunctions) {
  for (const auto& [nodes, per_node] : {std::pair{2, 3}, {3, 2}, {4, 8}, {5, 1}, {1, 7}}) {
    const int procs = nodes * per_node;
    const auto seq = roles("seq", on_nodes(procs, per_node, Mapping::rr));
    const auto rr = roles("rr", on_nodes(procs, per_node, Mapping::seq));
    for (int rank = 0; rank < procs; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      EXPECT_EQ(seq[at], rank * per_node % procs + rank / nodes);  // equation (1)
      EXPECT_EQ(rr[at], rank * nodes % procs + rank / per_node);   // equation (2)
      EXPECT_EQ(rr[static_cast<std::size_t>(seq[at])], rank);
    }
  }
}

TEST(ReorderRanks, GivesTheRolesOfThePapersExample) {
  // P = 6, M = 2: Figure 2
  EXPECT_EQ(roles("seq", on_nodes(6, 3, Mapping::rr))[2], 1);
  EXPECT_EQ(roles("rr", on_nodes(6, 3, Mapping::seq))[2], 4);
}

TEST(ReorderRanks, ChangesNothingWhereTheMappingIsAlreadySo) {
  const std::vector same{0, 1, 2, 3, 4, 5};
  EXPECT_EQ(roles("seq", on_nodes(6, 3, Mapping::seq)), same);
  EXPECT_EQ(roles("rr", on_nodes(6, 3, Mapping::rr)), same);
}

TEST(ReorderRanks, PutsNodeMatesTogetherOrApartOnIrregularNodes) {
  const Problem problem = on_nodes(6, 3, Mapping::parse("irregular:0.1.0.2.0.1"));
  EXPECT_EQ(roles("seq", problem), (std::vector{0, 3, 1, 5, 2, 4}));
  EXPECT_EQ(roles("rr", problem), (std::vector{0, 1, 3, 2, 5, 4}));
}

/// The messages of a schedule between different nodes.
int across_nodes(std::string_view name, const Problem& problem) {
  Problem with = problem;
  const auto [algorithm, params] = find_instance(problem.collective, Variant::parse(name));
  with.params = params;
  int messages = 0;
  for (int rank = 0; rank < problem.procs; ++rank) {
    with.me = {rank};
    for (const Round& round : build_schedule(*algorithm, with).rounds) {
      for (const Comm& comm : round.comm) {
        const auto* send = std::get_if<Send>(&comm);
        if (send == nullptr) continue;
        messages += problem.placement.node_of(send->to, problem.procs) !=
                            problem.placement.node_of(with.me, problem.procs)
                        ? 1
                        : 0;
      }
    }
  }
  return messages;
}

TEST(ReorderRanks, RingStarOnRoundRobinCrossesNodesAsRarelyAsRingOnSequential) {
  Problem rr = on_nodes(16, 8);
  Problem seq = rr;
  seq.placement.mapping = Mapping::seq;
  const int rounds = 2 * 15;
  EXPECT_EQ(across_nodes("ring", rr), rounds * 16);  // every message
  EXPECT_EQ(across_nodes("ring", seq), rounds * 2);  // one from each node
  EXPECT_EQ(across_nodes("ring:reorder_ranks=seq", rr), rounds * 2);
  EXPECT_EQ(across_nodes("ring:reorder_ranks=rr", seq), rounds * 16);
}

TEST(ReorderRanks, MakesTheRingOnIrregularNodesLeaveEachOfThemOnce) {
  const Problem problem = on_nodes(7, 3, Mapping::parse("irregular:0.1.0.2.1.2.0"));
  const int rounds = 2 * 6;
  EXPECT_GT(across_nodes("ring", problem), rounds * 3);
  EXPECT_EQ(across_nodes("ring:reorder_ranks=seq", problem), rounds * 3);
}

TEST(ReorderRanks, RefusesWhatIsNoPermutation) {
  for (const char* how : {"0,1", "0,0,1", "0,1,3", "0,1,2,3", "seqq", "0,1,-2"}) {
    EXPECT_THROW(static_cast<void>(roles_of(how, on_nodes(3, 1))), UsageError) << how;
  }
}

}  // namespace
}  // namespace breakeven::kernels
