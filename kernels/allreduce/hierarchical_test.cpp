// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/build.hpp"
#include "kernels/fold.hpp"
#include "kernels/price.hpp"
#include "kernels/verify.hpp"

namespace breakeven::allreduce {
namespace {

Rank peer_of(const Comm& comm) {
  const auto* send = std::get_if<Send>(&comm);
  return send != nullptr ? send->to : std::get<Recv>(comm).source;
}

/// Whether only the first ranks of nodes exchange messages with other nodes.
bool only_leaders_leave_nodes(const Problem& problem, const std::vector<Schedule>& world) {
  const Placement& on = problem.placement;
  const auto node = [&](Rank rank) { return on.node_of(rank, problem.procs); };
  const auto leads = [&](Rank rank) { return on.members(node(rank), problem.procs)[0] == rank; };
  for (int rank = 0; rank < problem.procs; ++rank) {
    for (const Round& round : world[static_cast<std::size_t>(rank)].rounds) {
      for (const Comm& comm : round.comm) {
        const Rank peer = peer_of(comm);
        if (node(peer) != node({rank}) && !(leads({rank}) && leads(peer))) return false;
      }
    }
  }
  return true;
}

const std::vector<std::string> kInnerAlgorithms{
    "",
    "allreduce=(ring:segments=2)",
    "allreduce=circulant,bcast=(binomial:segments=3)",
    "allreduce=halving_doubling,reduce=(binomial:segments=2)",
    "allreduce=(ring:renumber=rr),bcast=scatter_ring,reduce=halving_doubling",
    "allreduce=(hierarchical:allreduce=recursive_doubling),reduce=pairwise_direct"};

TEST(Hierarchical, IsRightOnAnyNodesWithAnyAlgorithmsInside) {
  for (const std::string& inner : kInnerAlgorithms) {
    for (const int per_node : {0, 1, 2, 3, 4, 8}) {
      for (const Mapping mapping : {Mapping::seq, Mapping::rr}) {
        for (const int procs : {1, 2, 3, 5, 7, 8, 12, 13, 16, 23, 33}) {
          const Problem problem{.procs = procs,
                                .params = Params::parse(inner),
                                .placement = {.procs_per_node = per_node, .mapping = mapping}};
          SCOPED_TRACE(fmt::format("{} p = {}, {} per node, {}", inner, procs, per_node,
                                   kMappings.of(mapping)));
          const std::vector<Schedule> world = world_of(hierarchical, problem);
          ASSERT_NO_THROW(static_cast<void>(verify(problem, world)));
          EXPECT_TRUE(only_leaders_leave_nodes(problem, world));
        }
      }
    }
  }
}

TEST(Hierarchical, TakesTheLeadersRingAndTwoTreesInEachNode) {
  for (const int nodes : {1, 2, 5}) {
    for (const int per_node : {1, 2, 6, 8}) {
      const Problem problem{.procs = nodes * per_node, .placement = {.procs_per_node = per_node}};
      const Cost counted = counted_cost(world_of(hierarchical, problem));
      const int steps = ceil_log2(per_node);
      const double share = (nodes - 1.0) / nodes;
      EXPECT_EQ(counted.rounds, 2 * steps + 2 * (nodes - 1));
      EXPECT_NEAR(counted.sent, steps + 2 * share, 1e-9);
      EXPECT_NEAR(counted.reduced, steps + share, 1e-9);
    }
  }
}

TEST(Hierarchical, RefusesInnerAlgorithmsThatAreUnknownOrCanNotRunThere) {
  const auto refusal = [](std::string_view params) -> std::string {
    const Problem problem{
        .procs = 12, .params = Params::parse(params), .placement = {.procs_per_node = 4}};
    try {
      static_cast<void>(runs(hierarchical, problem));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_TRUE(refusal("allreduce=rign").starts_with("no allreduce algorithm 'rign'; known:"));
  EXPECT_EQ(refusal("allreduce=(recursive_multiplying:stages=a4)"),
            "stages a4 make 4 processes, not 3");
  EXPECT_EQ(refusal("allreduce=(recursive_multiplying:stages=a3)"), "accepted");
}

}  // namespace
}  // namespace breakeven::allreduce
