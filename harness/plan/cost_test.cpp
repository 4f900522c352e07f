// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/cost.hpp"

#include <gtest/gtest.h>

namespace breakeven::plan {
namespace {

TEST(MostCost, EveryMeasurementTakesItsWholeBudgetOnTheNodesOfItsLaunch) {
  SweepPlan plan;
  plan.launches.push_back({.layout = {.procs = 8, .nodes = 4}, .cases = std::vector<Case>(9)});
  plan.launches.push_back({.layout = {.procs = 2, .nodes = 1}, .cases = std::vector<Case>(3)});
  const Cost cost = most_cost(plan, {.min_time = {0.02}, .case_budget = {2}});
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

TEST(CostText, NamesNodeHoursOnSeveralNodesAlone) {
  Cost cost;
  cost.add({.procs = 2, .nodes = 1}, 1, {10});
  EXPECT_EQ(to_text(cost), "1 measurement in 1 launch, 10 s");
  cost.add({.procs = 8, .nodes = 4}, 3, {890});
  EXPECT_EQ(to_text(cost), "4 measurements in 2 launches, 15 min 00 s, 0.99 node-hours");
}

/// Two candidates of a problem at a size and p.
std::vector<Case> problem(std::int64_t bytes, int procs = 4) {
  std::vector<Case> cases;
  for (const char* algorithm : {"native", "ring"}) {
    cases.push_back(
        {.algorithm = algorithm, .procs = procs, .procs_per_node = procs, .message = {bytes}});
  }
  return cases;
}

class ForecastTest : public ::testing::Test {
 protected:
  protocol::MeasurePlan measure{.min_time = {0.1}, .case_budget = {2}};
  Forecast forecast{measure, 4};
};

TEST_F(ForecastTest, WhatWasSeenCorrectsTheRoughModel) {
  const double small = forecast.measuring(problem(8)).value;
  const double large = forecast.measuring(problem(1 << 30)).value;
  EXPECT_GT(large, small);
  forecast.add(problem(8), {2 * small});
  forecast.add(problem(8), {4 * small});
  EXPECT_DOUBLE_EQ(forecast.measuring(problem(8)).value, 3 * small);
  EXPECT_DOUBLE_EQ(forecast.measuring(problem(1 << 30)).value, 3 * large);
  EXPECT_DOUBLE_EQ(forecast.measuring(std::vector{problem(8).front()}).value, 1.5 * small);
}

TEST_F(ForecastTest, WhereProcessesTakeTurnsCasesTakeTheirBudgets) {
  EXPECT_LT(forecast.measuring(problem(8, 4)).value, 1);
  EXPECT_DOUBLE_EQ(forecast.measuring(problem(8, 5)).value, 2 * 2);
}

TEST_F(ForecastTest, AJobStartsAsThoseOfTheNearestP) {
  forecast.add_start(4, {2});
  forecast.add_start(4, {4});
  forecast.add_start(64, {9});
  EXPECT_DOUBLE_EQ(forecast.start(4).value, 3);
  EXPECT_LT(forecast.start(2).value, 3);
  EXPECT_GT(forecast.start(8).value, 3);
  EXPECT_DOUBLE_EQ(forecast.start(64).value, 9);
}

/// Problems of 4 s each, a start of 1 s.
std::map<Case, int> learn_and_ask(Forecast& forecast) {
  std::map<Case, int> launches;
  forecast.add_start(4, {1});
  forecast.add(problem(8), {4});
  for (const std::int64_t bytes : {8, 16, 32}) {
    for (const Case& what : problem(bytes)) launches[what] = 1;
  }
  launches[problem(8)[0]] = 2;
  return launches;
}

TEST_F(ForecastTest, AddsUpProblemsAndStarts) {
  const Cost cost = forecast.of(learn_and_ask(forecast));
  EXPECT_EQ(cost.launches, 2U);
  EXPECT_EQ(cost.measurements, 7U);
  EXPECT_DOUBLE_EQ(cost.time.value, 1 + 3 * 4 + 1 + 2);
}

TEST_F(ForecastTest, ABudgetAllowsWholeProblems) {
  const std::map<Case, int> launches = learn_and_ask(forecast);
  const Cost cost = forecast.of(launches, {11});
  EXPECT_EQ(cost.launches, 1U);
  EXPECT_EQ(cost.measurements, 4U);
  EXPECT_DOUBLE_EQ(cost.time.value, 1 + 2 * 4);
  EXPECT_EQ(forecast.of(launches, {4.9}).launches, 0U);
  EXPECT_EQ(forecast.of(launches, {100}).measurements, 7U);
}

}  // namespace
}  // namespace breakeven::plan
