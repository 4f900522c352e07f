// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/rewrite/renumber.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven {
namespace {

Problem on_nodes(int procs, int procs_per_node) {
  return {.collective = Collective::allreduce,
          .procs = procs,
          .placement = {.procs_per_node = procs_per_node, .mapping = Mapping::rr}};
}

TEST(Renumber, GivesTheRolesOfThePapersExample) {
  const Problem problem = on_nodes(6, 3);  // P = 6, M = 2: Figure 2
  const auto seq = roles_of("seq", problem);
  const auto rr = roles_of("rr", problem);
  EXPECT_EQ(seq[2].value, 1);
  EXPECT_EQ(rr[2].value, 4);
  for (std::size_t rank = 0; rank < 6; ++rank) {
    EXPECT_EQ(rr[static_cast<std::size_t>(seq[rank].value)].value, static_cast<int>(rank));
  }
}

/// The messages of a schedule between different nodes.
int across_nodes(std::string_view name, const Problem& problem) {
  Problem with = problem;
  const auto [algorithm, params] = find_variant(problem.collective, name);
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

TEST(Renumber, RingStarOnRoundRobinCrossesNodesAsRarelyAsRingOnSequential) {
  Problem rr = on_nodes(16, 8);
  Problem seq = rr;
  seq.placement.mapping = Mapping::seq;
  const int rounds = 2 * 15;
  EXPECT_EQ(across_nodes("ring", rr), rounds * 16);  // every message
  EXPECT_EQ(across_nodes("ring", seq), rounds * 2);  // one from each node
  EXPECT_EQ(across_nodes("ring:renumber=seq", rr), rounds * 2);
  EXPECT_EQ(across_nodes("ring:renumber=rr", seq), rounds * 16);
}

TEST(Renumber, RefusesWhatIsNoPermutation) {
  for (const char* how : {"0,1", "0,0,1", "0,1,3", "0,1,2,3", "seqq", "0,1,-2"}) {
    EXPECT_THROW(static_cast<void>(roles_of(how, on_nodes(3, 1))), UsageError) << how;
  }
  EXPECT_THROW(static_cast<void>(roles_of("seq", on_nodes(5, 2))), UsageError);
}

}  // namespace
}  // namespace breakeven
