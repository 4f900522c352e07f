// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/race.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace breakeven::plan {
namespace {

Case candidate(const std::string& algorithm) { return {.algorithm = algorithm, .message = {8}}; }
const Case kProblem = without_algorithm(candidate("any"));

/// A race after launches in which each candidate took these times.
Race race_after(const std::map<std::string, std::vector<double>>& times) {
  Race race;
  for (const auto& [algorithm, seconds] : times) {
    for (std::size_t launch = 0; launch < seconds.size(); ++launch) {
      race.add({.what = candidate(algorithm),
                .launch = static_cast<std::int64_t>(launch),
                .repeat = static_cast<int>(launch),
                .samples = 10,
                .median = {seconds[launch]}});
    }
  }
  return race;
}

std::map<std::string, std::string> pruned(Race race) {
  std::map<std::string, std::string> reasons;
  for (const Pruned& each : race.judge(kProblem)) reasons[each.what.algorithm] = each.reason;
  return reasons;
}

TEST(Race, DropsNobodyBeforeThreeLaunches) {
  EXPECT_TRUE(pruned(race_after({{"a", {1, 1}}, {"b", {9, 9}}})).empty());
  EXPECT_FALSE(pruned(race_after({{"a", {1, 1, 1}}, {"b", {9, 9, 9}}})).empty());
}

TEST(Race, DropsWhoIsSignificantlySlowerAndSaysByHowMuch) {
  const auto reasons = pruned(race_after(
      {{"a", {1.00, 1.01, 0.99}}, {"b", {1.01, 1.08, 0.97}}, {"c", {2.00, 2.01, 1.99}}}));
  ASSERT_EQ(reasons.size(), 1);
  EXPECT_TRUE(reasons.at("c").starts_with("slower than a: 2 times [")) << reasons.at("c");
}

TEST(Race, ComparesWithinLaunchesThatDifferAsAWhole) {
  EXPECT_EQ(pruned(race_after({{"a", {1, 2, 4}}, {"b", {1.5, 3, 6}}})).count("b"), 1);
}

TEST(Race, ClosesAProblemOnceOneHasOutrunAllOthers) {
  const auto reasons =
      pruned(race_after({{"a", {1, 1.01, 0.99}}, {"b", {2, 2.01, 1.99}}, {"c", {3, 3, 3.01}}}));
  EXPECT_EQ(reasons.size(), 3);
  EXPECT_EQ(reasons.at("a"), "decided: a is the fastest");
}

TEST(Race, ClosesAProblemOnceThoseLeftDifferByLessThanMatters) {
  const auto reasons = pruned(race_after({{"a", {1, 1.001, 0.999, 1}}, {"b", {1, 1, 1.001, 1}}}));
  EXPECT_EQ(reasons.size(), 2);
  EXPECT_EQ(reasons.at("b").substr(0, 8), "decided:");
}

TEST(Race, GoesOnWhileItIsOpen) {
  EXPECT_TRUE(pruned(race_after({{"a", {1, 1.2, 0.9}}, {"b", {1.1, 0.9, 1.3}}})).empty());
}

TEST(Race, KeepsNativeUntilTheProblemIsClosed) {
  const auto open =
      pruned(race_after({{"a", {1, 1.2, 0.9}}, {"b", {1.1, 0.9, 1.3}}, {"native", {5, 5, 5}}}));
  EXPECT_FALSE(open.contains("native"));
  const auto closed = pruned(race_after({{"a", {1, 1, 1}}, {"native", {5, 5, 5}}}));
  EXPECT_TRUE(closed.contains("native"));
}

TEST(Race, NeverDropsALoneCandidate) {
  EXPECT_TRUE(pruned(race_after({{"a", {1, 1, 1, 1, 1}}})).empty());
}

TEST(Race, OncePrunedStaysPruned) {
  Race race = race_after({{"a", {1, 1.01, 0.99}}, {"b", {1, 1.1, 0.9}}, {"c", {2, 2.01, 1.99}}});
  ASSERT_EQ(race.judge(kProblem).size(), 1);
  race.add({.what = candidate("a"), .launch = 3, .median = {50}});
  race.add({.what = candidate("b"), .launch = 3, .median = {50}});
  EXPECT_EQ(race.judge(kProblem).size(), 1);
}

}  // namespace
}  // namespace breakeven::plan
