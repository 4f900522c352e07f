// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/equal_names.hpp"

#include <gtest/gtest.h>

namespace breakeven::tuner {
namespace {

using Names = std::vector<std::string>;

Case named_at(std::string algorithm, int procs, std::int64_t bytes = 8, int nodes = 1) {
  return {.collective = Collective::allreduce,
          .variant = Variant::of(algorithm),
          .procs = procs,
          .nodes = nodes,
          .procs_per_node = procs / nodes,
          .message = {bytes},
          .op = Op::sum};
}

TEST(EqualNames, AreThoseWithEqualSchedules) {
  EqualNames equals;
  EXPECT_EQ(equals.of(named_at("elimination_21", 8)),
            (Names{"recursive_doubling", "elimination_21", "elimination_32", "fixed_tree"}));
  EXPECT_EQ(equals.of(named_at("ring", 8)), Names{"ring"});
  EXPECT_EQ(equals.of(named_at("native", 8)), Names{});
  EXPECT_EQ(equals.of(named_at("mpich:ring", 8)), Names{});
  Case unknown = named_at("ring", 8);
  unknown.variant = unknown.variant.with_params("of_another_version=1");
  EXPECT_EQ(equals.of(unknown), Names{});
}

TEST(OtherNames, AreToldOncePerAlgorithmWithThePlacesWhereTheyHold) {
  const std::vector<Case> cases{named_at("recursive_doubling", 4),
                                named_at("recursive_doubling", 8),
                                named_at("recursive_doubling", 8, 16),
                                named_at("reduce_bcast", 4),
                                named_at("recursive_doubling", 8, 8, 2),
                                named_at("reduce_bcast", 4, 8, 2),
                                named_at("ring", 4),
                                named_at("native", 4)};
  EXPECT_EQ(other_names(cases),
            (Names{"allreduce/recursive_doubling at p = 4, 8, 8 on 2 nodes: also elimination_21, "
                   "elimination_32, fixed_tree",
                   "allreduce/reduce_bcast at p = 4: also hierarchical"}));
}

}  // namespace
}  // namespace breakeven::tuner
