// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/verify.hpp"

namespace breakeven::kernels {
namespace {

struct Asked {
  Collective collective;
  std::string_view params;
};
constexpr Asked kAsked[]{{Collective::allreduce, ""},
                         {Collective::allreduce, "lanes=2"},
                         {Collective::allreduce, "lanes=1,allreduce=(ring:segments=2)"},
                         {Collective::allreduce, "allreduce=circulant_blocks"},
                         {Collective::bcast, ""},
                         {Collective::bcast, "lanes=2,bcast=scatter_ring"},
                         {Collective::bcast, "bcast=(chain:segments=3)"},
                         {Collective::reduce, ""},
                         {Collective::reduce, "lanes=2,reduce=halving_doubling"},
                         {Collective::reduce, "reduce=(circulant_blocks:blocks=3)"}};

void expect_lanes_right(const Asked& asked, int procs, const Placement& placement) {
  const Algorithm& multi_lane = find_algorithm(asked.collective, "multi_lane");
  for (const Rank root : roots_to_prove(asked.collective, procs)) {
    SCOPED_TRACE(fmt::format("{}:{} p = {}, {} per node, {}, root = {}",
                             kCollectives.of(asked.collective), asked.params, procs,
                             placement.procs_per_node, to_text(placement.mapping), root.value));
    const Problem problem{.collective = asked.collective,
                          .procs = procs,
                          .root = root,
                          .params = Params::parse(asked.params),
                          .placement = placement};
    EXPECT_NO_THROW(static_cast<void>(verify(problem, world_of(multi_lane, problem))));
  }
}

TEST(MultiLane, IsRightOnAnyNodesWithAnyAlgorithmOnItsLanes) {
  for (const Asked& asked : kAsked) {
    for (const int per_node : {0, 1, 2, 3, 8}) {
      for (const Mapping& mapping : {Mapping::seq, Mapping::rr}) {
        for (const int procs : {1, 2, 3, 5, 8, 12, 13, 33}) {
          expect_lanes_right(asked, procs, {per_node, mapping});
        }
      }
    }
    for (const char* mapping : {"blocked:2", "irregular:0.1.0.2.0.1.3.3", "irregular:0.1*6.2"}) {
      expect_lanes_right(asked, 8, {4, Mapping::parse(mapping)});
    }
  }
}

TEST(MultiLane, LetsEachRankOfANodeSendItsShareToOtherNodes) {
  constexpr int kPerNode = 4;
  for (const int nodes : {2, 4, 8}) {
    const Problem problem{.procs = nodes * kPerNode, .placement = {.procs_per_node = kPerNode}};
    int rank = 0;
    for (const Schedule& schedule :
         world_of(find_algorithm(Collective::allreduce, "multi_lane"), problem)) {
      int blocks = 0;
      for (const Round& round : schedule.rounds) {
        for (const Comm& comm : round.comm) {
          const auto* send = std::get_if<Send>(&comm);
          if (send == nullptr || send->to.value / kPerNode == rank / kPerNode) continue;
          EXPECT_EQ(send->to.value % kPerNode, rank % kPerNode);
          blocks += send->count;
        }
      }
      EXPECT_EQ(blocks * kPerNode,
                std::bit_width(static_cast<unsigned>(nodes - 1)) * schedule.blocks);
      ++rank;
    }
  }
}

TEST(MultiLane, RefusesNoLanesAndAlgorithmsThatCanNotRunThere) {
  const Algorithm& multi_lane = find_algorithm(Collective::allreduce, "multi_lane");
  const auto can_run = [&](std::string_view params) {
    return runs(multi_lane,
                {.procs = 12, .params = Params::parse(params), .placement = {.procs_per_node = 4}});
  };
  EXPECT_TRUE(can_run("lanes=9,allreduce=(recursive_multiplying:stages=a3)"));
  EXPECT_FALSE(can_run("allreduce=(recursive_multiplying:stages=a4)"));
  EXPECT_THROW(static_cast<void>(can_run("lanes=0")), UsageError);
}

}  // namespace
}  // namespace breakeven::kernels
