// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/cost.hpp"

#include <gtest/gtest.h>

namespace breakeven::plan {
namespace {

TEST(CostText, NamesNodeHoursOnSeveralNodesAlone) {
  Cost cost;
  cost.add({.procs = 2, .nodes = 1}, 1, {10});
  EXPECT_EQ(to_text(cost), "1 measurement in 1 launch, 10 s");
  cost.add({.procs = 8, .nodes = 4}, 3, {890}, {74.5});
  EXPECT_EQ(to_text(cost),
            "4 measurements in 2 launches, 15 min 00 s (1 min 15 s of it to start jobs), "
            "0.99 node-hours");
}

/// Two candidates of a problem at a size and p.
std::vector<Case> problem(std::int64_t bytes, int procs = 4) {
  std::vector<Case> cases;
  for (const char* algorithm : {"native", "ring"}) {
    cases.push_back({.variant = Variant::of(algorithm),
                     .procs = procs,
                     .procs_per_node = procs,
                     .message = {bytes}});
  }
  return cases;
}

NodeLayout layout(int procs, int nodes = 1) {
  return {.procs = procs, .nodes = nodes, .procs_per_node = procs / nodes};
}

class ForecastTest : public ::testing::Test {
 protected:
  void add(const std::vector<Case>& cases, double seconds) {
    forecast.add(cases.front().procs, forecast.rough(cases), {seconds});
  }

  protocol::MeasurePlan measure{.min_time = {0.1}, .case_budget = {2}};
  Forecast forecast{measure, 4};
};

TEST_F(ForecastTest, WhatWasSeenCorrectsTheRoughModel) {
  const double small = forecast.measuring(problem(8)).value;
  const double large = forecast.measuring(problem(1 << 30)).value;
  EXPECT_GT(large, small);
  EXPECT_FALSE(forecast.has_measured());
  add(problem(8), 2 * small);
  add(problem(8), 4 * small);
  EXPECT_TRUE(forecast.has_measured());
  EXPECT_DOUBLE_EQ(forecast.measuring(problem(8)).value, 3 * small);
  EXPECT_DOUBLE_EQ(forecast.measuring(problem(1 << 30)).value, 3 * large);
  EXPECT_DOUBLE_EQ(forecast.measuring(std::vector{problem(8).front()}).value, 1.5 * small);
}

TEST_F(ForecastTest, ALaunchCountsTwiceAsMuchAsTheOneBefore) {
  const double small = forecast.measuring(problem(8)).value;
  for (const double times : {4.0, 1.0}) {
    forecast.add_start(layout(4), {times});
    add(problem(8), times * small);
  }
  EXPECT_DOUBLE_EQ(forecast.measuring(problem(8)).value, 2 * small);  // (4 / 2 + 1) / (1 / 2 + 1)
  EXPECT_DOUBLE_EQ(forecast.start(layout(4)).value, 2);
}

TEST_F(ForecastTest, WhereProcessesTakeTurnsCasesTakeTheirBudgetsAndMore) {
  EXPECT_LT(forecast.measuring(problem(8, 4)).value, 1);
  EXPECT_DOUBLE_EQ(forecast.measuring(problem(8, 5)).value, 2 * 2);
  EXPECT_GT(forecast.measuring(problem(8, 4000)).value, 2 * 2);
  forecast.learn_cores(2);
  EXPECT_DOUBLE_EQ(forecast.measuring(problem(8, 4)).value, 2 * 2);
}

TEST_F(ForecastTest, AJobStartsAsThoseOfTheNearestP) {
  EXPECT_LT(forecast.start(layout(64, 16)).value, forecast.start(layout(64)).value);
  forecast.add_start(layout(4), {2});
  forecast.add_start(layout(64), {9});
  forecast.add_end(64, {3});
  EXPECT_DOUBLE_EQ(forecast.start(layout(4)).value, 2);
  EXPECT_LT(forecast.start(layout(2)).value, 2);
  EXPECT_GT(forecast.start(layout(8)).value, 2);
  EXPECT_DOUBLE_EQ(forecast.start(layout(64)).value, 12);
}

/// Problems of 4 s each, a start of 1 s.
std::map<Case, int> learn_and_ask(Forecast& forecast) {
  std::map<Case, int> launches;
  forecast.add_start(layout(4), {1});
  forecast.add(4, forecast.rough(problem(8)), {4});
  for (const std::int64_t bytes : {8, 16, 32}) {
    for (const Case& what : problem(bytes)) launches[what] = 1;
  }
  launches[problem(8)[0]] = 2;
  return launches;
}

TEST_F(ForecastTest, AddsUpProblemsAndStarts) {
  Loads loads = forecast.loads(learn_and_ask(forecast));
  const Cost cost = forecast.of(loads);
  EXPECT_EQ(cost.launches, 2U);
  EXPECT_EQ(cost.measurements, 7U);
  EXPECT_DOUBLE_EQ(cost.time.value, 1 + 3 * 4 + 1 + 2);
  EXPECT_DOUBLE_EQ(cost.starts.value, 2);
  loads.begin()->second.started = true;
  EXPECT_DOUBLE_EQ(forecast.of(loads).time.value, 3 * 4 + 1 + 2);
}

TEST_F(ForecastTest, ABudgetAllowsWholeProblems) {
  const Loads loads = forecast.loads(learn_and_ask(forecast));
  const Cost cost = forecast.of(loads, {11});
  EXPECT_EQ(cost.launches, 1U);
  EXPECT_EQ(cost.measurements, 4U);
  EXPECT_DOUBLE_EQ(cost.time.value, 1 + 2 * 4);
  EXPECT_EQ(forecast.of(loads, {4.9}).launches, 0U);
  EXPECT_EQ(forecast.of(loads, {100}).measurements, 7U);
}

TEST_F(ForecastTest, EveryPlannedLaunchIsStarted) {
  SweepPlan plan;
  for (int launch = 0; launch < 2; ++launch) {
    plan.launches.push_back({.layout = layout(4), .cases = problem(8)});
  }
  forecast.add_start(layout(4), {10});
  EXPECT_EQ(forecast.of(forecast.loads(plan)).launches, 2U);
  EXPECT_DOUBLE_EQ(forecast.of(forecast.loads(plan)).starts.value, 2 * 10);
}

TEST_F(ForecastTest, AtMostEveryMeasurementTakesItsWholeBudgetOnTheNodesOfItsLaunch) {
  SweepPlan plan;
  plan.launches.push_back({.layout = layout(8, 4), .cases = std::vector<Case>(9)});
  plan.launches.push_back({.layout = layout(2), .cases = std::vector<Case>(3)});
  forecast.add_start(layout(8, 4), {5});
  forecast.add_start(layout(2), {1});
  const Cost cost = forecast.most(plan);
  EXPECT_EQ(cost.launches, 2U);
  EXPECT_EQ(cost.measurements, 12U);
  EXPECT_DOUBLE_EQ(cost.time.value, 5 + 9 * 2 + 1 + 3 * 2);
  EXPECT_DOUBLE_EQ(cost.node_hours, ((5 + 9 * 2) * 4 + 1 + 3 * 2) / 3600.0);
  // A case may take longer than its budget to spread its samples: its limit is no less than that.
  const Forecast spread{{.min_time = {3}, .case_budget = {1}}};
  EXPECT_GE(spread.most(plan).time.value - spread.most(plan).starts.value, 12 * 3);
  EXPECT_GE(spread.most(plan).time.value, spread.of(spread.loads(plan)).time.value);
  EXPECT_EQ(spread.most({}).node_hours, 0);
}

}  // namespace
}  // namespace breakeven::plan
