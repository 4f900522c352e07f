// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "core/error.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/build.hpp"
#include "kernels/fold.hpp"
#include "kernels/price.hpp"
#include "kernels/verify.hpp"

namespace breakeven::kernels::allreduce {
namespace {

Rank peer_of(const Comm& comm) {
  const auto* send = std::get_if<Send>(&comm);
  return send != nullptr ? send->to : std::get<Recv>(comm).source;
}

/// Whether only the first ranks of nodes exchange messages with other nodes.
bool only_leaders_leave_nodes(const Problem& problem, const std::vector<Schedule>& world) {
  const Placement& on = problem.placement;
  const auto node = [&](Rank rank) { return on.node_of(rank, problem.procs); };
  const auto leads = [&](Rank rank) {
    return on.members(node(rank), problem.procs).place_of(rank) == Rank{0};
  };
  const auto allowed = [&](Rank rank, Rank peer) {
    return node(rank) == node(peer) || (leads(rank) && leads(peer));
  };
  for (int rank = 0; rank < problem.procs; ++rank) {
    for (const Round& round : world[static_cast<std::size_t>(rank)].rounds) {
      for (const Comm& comm : round.comm) {
        if (!allowed({rank}, peer_of(comm))) return false;
      }
    }
  }
  return true;
}

constexpr std::array<std::string_view, 6> kInnerAlgorithms{
    "",
    "allreduce=(ring:segments=2)",
    "allreduce=circulant,bcast=(binomial:segments=3)",
    "allreduce=halving_doubling,reduce=(binomial:segments=2)",
    "allreduce=(ring:reorder_ranks=rr),bcast=scatter_ring,reduce=halving_doubling",
    "allreduce=(hierarchical:allreduce=recursive_doubling),reduce=pairwise_direct"};

void expect_right(const Problem& problem) {
  const std::vector<Schedule> world = world_of(hierarchical, problem);
  EXPECT_NO_THROW(static_cast<void>(verify(problem, world)));
  EXPECT_TRUE(only_leaders_leave_nodes(problem, world));
}

std::vector<Placement> placements() {
  std::vector<Placement> placements;
  for (const int per_node : {0, 1, 2, 3, 4, 8}) {
    for (const Mapping& mapping : {Mapping::seq, Mapping::rr})
      placements.push_back({per_node, mapping});
  }
  return placements;
}

TEST(Hierarchical, IsRightOnAnyNodesWithAnyAlgorithmsInside) {
  for (const std::string_view inner : kInnerAlgorithms) {
    const Params params = Params::parse(inner);
    for (const Placement& placement : placements()) {
      for (const int procs : {1, 2, 3, 5, 7, 8, 12, 13, 16, 23, 33}) {
        SCOPED_TRACE(fmt::format("{} p = {}, {} per node, {}", inner, procs,
                                 placement.procs_per_node, to_text(placement.mapping)));
        expect_right({.procs = procs, .params = params, .placement = placement});
      }
    }
  }
}

TEST(Hierarchical, IsRightOnIrregularNodes) {
  for (const char* mapping : {"blocked:2", "irregular:0.1.0.2.0.1.3.3", "irregular:0.1*6.2"}) {
    for (const std::string_view inner : kInnerAlgorithms) {
      SCOPED_TRACE(fmt::format("{} {}", mapping, inner));
      expect_right({.procs = 8,
                    .params = Params::parse(inner),
                    .placement = {.procs_per_node = 4, .mapping = Mapping::parse(mapping)}});
    }
  }
}

TEST(Hierarchical, TakesTheLeadersRingAndTwoTreesInEachNode) {
  for (const int nodes : {1, 2, 5}) {
    for (const int per_node : {1, 2, 6, 8}) {
      const Problem problem{.procs = nodes * per_node, .placement = {.procs_per_node = per_node}};
      const Price counted = price(problem, world_of(hierarchical, problem));
      const int steps = ceil_log2(per_node);
      const double share = (nodes - 1.0) / nodes;
      EXPECT_EQ(counted.rounds, 2 * steps + 2 * (nodes - 1));
      EXPECT_NEAR(counted.critical_path.sent, 2 * steps + 2 * share, 1e-9);
      EXPECT_NEAR(counted.critical_path.reduced, steps + share, 1e-9);
    }
  }
}

TEST(Hierarchical, RefusesInnerAlgorithmsThatAreUnknownOrCanNotRunThere) {
  const auto refusal = [](std::string_view params) -> std::string {
    const Problem problem{
        .procs = 12, .params = Params::parse(params), .placement = {.procs_per_node = 4}};
    try {
      return runs(hierarchical, problem) ? "runs" : "can't run";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  EXPECT_TRUE(refusal("allreduce=rign")
                  .starts_with("no allreduce algorithm 'rign'; did you mean 'ring'? known:"));
  EXPECT_EQ(refusal("allreduce=(recursive_multiplying:stages=a4)"), "can't run");
  EXPECT_EQ(refusal("allreduce=(recursive_multiplying:stages=a3)"), "runs");
}

}  // namespace
}  // namespace breakeven::kernels::allreduce
