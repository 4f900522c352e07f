// SPDX-License-Identifier: BSD-3-Clause
#include "harness/order.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace breakeven {
namespace {

TEST(Order, CasesThatDifferInTheAlgorithmAloneAreOneProblem) {
  const Case ring{.algorithm = "ring", .message = {8}};
  Case native = ring;
  native.algorithm = "native";
  Case radix = ring;
  radix.params = "radix=4";
  Case larger = ring;
  larger.message = {16};
  const std::vector<Case> cases{ring, native, radix, larger, ring};
  EXPECT_EQ(problems_of(cases), (std::vector<CandidateRange>{{0, 3}, {3, 1}, {4, 1}}));
  EXPECT_TRUE(problems_of({}).empty());
}

TEST(Order, TheBudgetLimitsSamplesBetweenLeastAndRepetitions) {
  const MeasurePlan plan{.repetitions = 50, .least = 5, .case_budget = {1.0}};
  EXPECT_EQ(samples_wanted(plan, {1e-6}), 50);
  EXPECT_EQ(samples_wanted(plan, {0.1}), 10);
  EXPECT_EQ(samples_wanted(plan, {10.0}), 5);
  EXPECT_EQ(samples_wanted(plan, {0.0}), 50);
  EXPECT_EQ(samples_wanted(plan, {1e-30}), 50);
}

TEST(Order, BlocksTogetherTakeExactlyTheSamplesWanted) {
  for (int interleave = 1; interleave <= 7; ++interleave) {
    const MeasurePlan plan{.interleave = interleave};
    for (int wanted = 0; wanted <= 50; ++wanted) {
      int total = 0;
      for (int block = 0; block < interleave; ++block) {
        total += samples_in_block(plan, wanted, block);
      }
      EXPECT_EQ(total, wanted) << "in " << interleave << " blocks";
    }
  }
}

}  // namespace
}  // namespace breakeven
