// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/cost.hpp"

#include <gtest/gtest.h>

namespace breakeven::plan {
namespace {

TEST(MostCost, EveryMeasurementTakesItsWholeBudgetOnTheNodesOfItsLaunch) {
  SweepPlan plan;
  plan.launches.push_back({.layout = {.procs = 8, .nodes = 4}, .cases = std::vector<Case>(9)});
  plan.launches.push_back({.layout = {.procs = 2, .nodes = 1}, .cases = std::vector<Case>(3)});
  const PlannedCost cost = most_cost(plan, {.min_time = {0.02}, .case_budget = {2}});
  EXPECT_EQ(cost.launches, 2U);
  EXPECT_EQ(cost.measurements, 12U);
  EXPECT_DOUBLE_EQ(cost.time.value, 24);
  EXPECT_DOUBLE_EQ(cost.node_hours, (9 * 2 * 4 + 3 * 2 * 1) / 3600.0);
}

TEST(MostCost, ACaseMayTakeLongerThanItsBudgetToSpreadItsSamples) {
  SweepPlan plan;
  plan.launches.push_back({.cases = std::vector<Case>(2)});
  EXPECT_DOUBLE_EQ(most_cost(plan, {.min_time = {3}, .case_budget = {1}}).time.value, 6);
}

TEST(MostCost, NothingCostsNothing) { EXPECT_EQ(most_cost({}, {}).node_hours, 0); }

}  // namespace
}  // namespace breakeven::plan
