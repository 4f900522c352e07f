// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/crossing.hpp"
#include "kernels/verify.hpp"

namespace breakeven::kernels::scan {
namespace {

/// One node, even and uneven nodes, ranks dealt out, and nodes that come back.
const std::vector<Placement> kPlacements{
    {},
    {.procs_per_node = 2, .mapping = Mapping::seq},
    {.procs_per_node = 5, .mapping = Mapping::seq},
    {.procs_per_node = 3, .mapping = Mapping::rr},
    {.procs_per_node = 4, .mapping = Mapping::blocked(2)},
    {.procs_per_node = 6, .mapping = Mapping::irregular({0, 0, 1, 0, 2, 2, 1, 1, 1, 2, 0, 0, 2})}};

TEST(HierarchicalScan, KeepsTheOrderOnAnyNodes) {
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    const Algorithm& algorithm = find_algorithm(collective, "hierarchical");
    for (const Placement& placement : kPlacements) {
      const bool listed = placement.mapping.kind() == Mapping::Kind::irregular;
      for (int procs = listed ? 13 : 1; procs <= (listed ? 13 : 33); ++procs) {
        const Problem problem{.collective = collective, .procs = procs, .placement = placement};
        Verdict verdict;
        ASSERT_NO_THROW(verdict = verify(problem, world_of(algorithm, problem)))
            << to_text(placement.mapping) << ", p = " << procs;
        EXPECT_TRUE(verdict.in_rank_order);
      }
    }
  }
}

TEST(HierarchicalScan, LeavesEachNodeWithTheLastRanksMessagesAlone) {
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    const Problem problem{.collective = collective,
                          .procs = 32,
                          .placement = {.procs_per_node = 8, .mapping = Mapping::seq}};
    const auto sent = [&](std::string_view name) {
      return crossing(find_algorithm(collective, name), problem).messages;
    };
    EXPECT_EQ(sent("hierarchical"), 2);  // of 123-doubling between four
    EXPECT_GT(sent("recursive_doubling"), 8);
  }
}

}  // namespace
}  // namespace breakeven::kernels::scan
