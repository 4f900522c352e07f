// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/order.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace breakeven::plan {
namespace {

TEST(Order, CasesThatDifferInTheAlgorithmAloneAreOneProblem) {
  const Case ring{.variant = Ours{"ring"}, .message = {8}};
  Case native = ring;
  native.variant = Native{};
  Case radix = ring;
  radix.variant = radix.variant.with_params("radix=4");
  Case larger = ring;
  larger.message = {16};
  const std::vector<Case> cases{ring, native, radix, larger, ring};
  EXPECT_EQ(problems_of(cases), (std::vector<CandidateRange>{{0, 3}, {3, 1}, {4, 1}}));
  EXPECT_TRUE(problems_of({}).empty());
}

}  // namespace
}  // namespace breakeven::plan
