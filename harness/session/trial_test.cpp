// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/trial.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tables/testing.hpp"

namespace breakeven::session {
namespace {

using tables::testing::allreduce;

verify::TriedProblem tried(const std::string& with_table, std::int64_t bytes) {
  const Case what = allreduce(with_table, 4, bytes);
  return {.problem = without_algorithm(what), .choice = what.variant, .with_table = what};
}

/// "8 native, 8 ring" of each launch of a repeat, in no order.
std::multiset<std::string> launches_of(const plan::SweepPlan& plan, int repeat) {
  std::multiset<std::string> texts;
  for (const plan::PlannedLaunch& launch : plan.launches) {
    if (launch.repeat != repeat) continue;
    std::set<std::string> cases;
    for (const Case& each : launch.cases) {
      cases.insert(fmt::format("{} {}", each.message.value, each.variant.algorithm()));
    }
    std::string text;
    for (const std::string& each : cases) text += (text.empty() ? "" : ", ") + each;
    texts.insert(text);
  }
  return texts;
}

const std::vector kBoth{tried("tuned", 8), tried("ring", 8), tried("ring", 64),
                        tried("native", 512)};

using Launches = std::multiset<std::string>;

TEST(PlanOfTrial, TablesThatCanStandBesideTheDefaultShareItInOneLaunch) {
  const plan::SweepPlan plan = plan_of_trial(kBoth, {.launches = 2}, true);
  // Problems without the table in force have a launch of their own: native is the default there.
  const Launches wanted{"64 native, 64 ring", "8 native, 8 ring, 8 tuned"};
  EXPECT_EQ(launches_of(plan, 0), wanted);
  EXPECT_EQ(launches_of(plan, 1), wanted);
}

TEST(PlanOfTrial, ATableForWholeJobsHasLaunchesOfItsOwn) {
  const plan::SweepPlan plan = plan_of_trial(kBoth, {.launches = 1}, false);
  EXPECT_EQ(launches_of(plan, 0), (Launches{"64 native, 64 ring, 8 native, 8 ring", "8 tuned"}));
}

TEST(PlanOfTrial, OfTheDefaultItselfIsEmpty) {
  EXPECT_TRUE(plan_of_trial(std::vector{tried("native", 8)}, {}, true).launches.empty());
}

}  // namespace
}  // namespace breakeven::session
