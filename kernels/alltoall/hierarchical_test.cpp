// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/crossing.hpp"
#include "kernels/verify.hpp"

namespace breakeven::kernels::alltoall {
namespace {

TEST(HierarchicalAlltoall, IsRightOnAnyNodes) {
  const Algorithm& algorithm = find_algorithm(Collective::alltoall, "hierarchical");
  const std::vector<Placement> placements{{},
                                          {.procs_per_node = 2, .mapping = Mapping::seq},
                                          {.procs_per_node = 5, .mapping = Mapping::seq},
                                          {.procs_per_node = 3, .mapping = Mapping::rr},
                                          {.procs_per_node = 4, .mapping = Mapping::blocked(2)}};
  for (const Placement& placement : placements) {
    for (int procs = 1; procs <= 24; ++procs) {
      const Problem problem{
          .collective = Collective::alltoall, .procs = procs, .placement = placement};
      EXPECT_NO_THROW(static_cast<void>(verify(problem, world_of(algorithm, problem))))
          << to_text(placement.mapping) << ", p = " << procs;
    }
  }
}

TEST(HierarchicalAlltoall, SendsOneMessageFromEachRankToEachOtherNode) {
  const Problem problem{.collective = Collective::alltoall,
                        .procs = 32,
                        .placement = {.procs_per_node = 8, .mapping = Mapping::seq}};
  const auto sent = [&](std::string_view name) {
    return crossing(find_algorithm(Collective::alltoall, name), problem);
  };
  EXPECT_EQ(sent("hierarchical").messages, 8 * 3);
  EXPECT_EQ(sent("linear").messages, 8 * 24);
  EXPECT_DOUBLE_EQ(sent("hierarchical").sent, sent("linear").sent);
}

}  // namespace
}  // namespace breakeven::kernels::alltoall
