// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/algorithm_text.hpp"

#include <gtest/gtest.h>

namespace breakeven::plan {
namespace {

TEST(SplitAlgorithms, EndsAnAlgorithmOnlyWhereAnotherOneBegins) {
  EXPECT_EQ(split_algorithms("native,ring:reorder_ranks=2,0,1,binomial,reduce/binomial:segments=4"),
            (std::vector<std::string>{"native", "ring:reorder_ranks=2,0,1", "binomial",
                                      "reduce/binomial:segments=4"}));
}

TEST(SplitAlgorithms, KnowsTheLibrariesOwn) {
  EXPECT_EQ(
      split_algorithms("native,openmpi:bcast/chain:fanout=2,segment_bytes=8192,library,breakeven,"
                       "openmpi:ring,mpich:allreduce/nb"),
      (std::vector<std::string>{"native", "openmpi:bcast/chain:fanout=2,segment_bytes=8192",
                                "library", "breakeven", "openmpi:ring", "mpich:allreduce/nb"}));
}

TEST(AlgorithmWord, NamesOneAlgorithmOrAGroup) {
  const auto means = [](std::string_view word, std::string_view name) {
    return AlgorithmWord{word}.means(Collective::allreduce, Variant::parse(name));
  };
  EXPECT_TRUE(means("ring", "ring"));
  EXPECT_FALSE(means("ring", "openmpi:ring"));
  EXPECT_TRUE(means("openmpi:ring", "openmpi:ring"));
  EXPECT_TRUE(means("openmpi:allreduce/ring:segment_bytes=8", "openmpi:ring"));
  EXPECT_FALSE(means("openmpi:bcast/ring", "openmpi:ring"));
  EXPECT_TRUE(means("openmpi:iallreduce/ring", "openmpi:ring"));
  EXPECT_TRUE(means("openmpi:allreduce_init/ring", "openmpi:ring"));
  EXPECT_FALSE(means("openmpi:ring", "ring"));
  EXPECT_TRUE(means("library", "openmpi:ring"));
  EXPECT_FALSE(means("library", "ring"));
  EXPECT_FALSE(means("library", "native"));
  EXPECT_TRUE(means("breakeven", "ring"));
  EXPECT_FALSE(means("breakeven", "native"));
  EXPECT_FALSE(means("breakeven", "openmpi:ring"));
  EXPECT_TRUE(means("allreduce/native", "native"));
}

}  // namespace
}  // namespace breakeven::plan
