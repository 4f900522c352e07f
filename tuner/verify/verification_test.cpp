// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/verification.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "tables/testing.hpp"
#include "tuner/verify/verification_text.hpp"

namespace breakeven::verify {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using tables::testing::allreduce;

std::vector<Measurement> cell(std::int64_t bytes, const std::vector<double>& by_default,
                              const std::vector<double>& tuned) {
  return join({launches(allreduce("native", 4, bytes), by_default),
               launches(allreduce("tuned", 4, bytes), tuned)});
}

/// Every problem measured, with a table that is in force for whole jobs and makes this choice.
std::vector<TriedProblem> all_of(const std::vector<Measurement>& measurements,
                                 const std::string& choice) {
  std::set<Case> problems;
  for (const Measurement& each : measurements) problems.insert(without_algorithm(each.what));
  std::vector<TriedProblem> tried;
  for (const Case& problem : problems) {
    TriedProblem each{.problem = problem, .choice = Variant::parse(choice), .with_table = problem};
    each.with_table.variant = Tuned{};
    tried.push_back(each);
  }
  return tried;
}

Verification verify_with_ring(const std::vector<Measurement>& measurements) {
  return verify_table(measurements, all_of(measurements, "openmpi:ring"));
}

/// A problem that our own table solves by this algorithm.
TriedProblem tried_with(const std::string& algorithm, std::int64_t bytes) {
  const Case choice = allreduce(algorithm, 4, bytes);
  return {.problem = without_algorithm(choice), .choice = choice.variant, .with_table = choice};
}

TEST(Verification, ComparesWithinEachRepeatSoThatDriftOfTheMachineCancels) {
  const Verification verification = verify_with_ring(cell(8, {10, 20, 40, 10}, {5, 10.1, 20, 5}));
  EXPECT_NEAR(verification.cells.at(0).speedup.median, 2, 0.01);
  EXPECT_EQ(verification.cells.at(0).effect, Effect::faster);
  EXPECT_TRUE(verification.better());
  EXPECT_FALSE(verification.any_fails());
}

TEST(Verification, FailsWhereACellIsSignificantlySlowerThanTolerated) {
  const Verification verification =
      verify_with_ring(join({cell(8, {10, 10, 10, 10}, {5, 5.1, 5, 5}),
                             cell(64, {10, 10, 10, 10}, {10.6, 10.61, 10.6, 10.6})}));
  EXPECT_FALSE(verification.cells.at(0).fails);
  EXPECT_TRUE(verification.cells.at(1).fails);
  EXPECT_TRUE(verification.any_fails());
}

TEST(Verification, DoesNotFailForALossThatIsTolerated) {
  const Verification verification =
      verify_with_ring(cell(64, {10, 10, 10, 10}, {10.2, 10.21, 10.2, 10.2}));
  EXPECT_EQ(verification.cells.at(0).effect, Effect::slower);
  EXPECT_FALSE(verification.any_fails());
}

TEST(Verification, DoesNotFailForOneOfManyCellsThatIsSlowByChance) {
  // Alone it would: its loss is 3 % beyond 95 %. Among forty cells, one is expected.
  const auto slow = cell(8, {10, 10, 10, 10}, {10.5, 10.4, 10.7, 10.6});
  EXPECT_TRUE(verify_with_ring(slow).any_fails());
  std::vector<Measurement> many = slow;
  for (int i = 2; i < 42; ++i)
    many = join({many, cell(8 * i, {10, 10.1, 9.9, 10}, {10, 10, 10, 10})});
  EXPECT_FALSE(verify_with_ring(many).any_fails());
}

TEST(Verification, OfATableThatChangesNothingIsNotBetter) {
  const auto measurements = cell(8, {10, 10, 10}, {5, 5, 5.1});
  const Verification verification = verify_table(measurements, all_of(measurements, "native"));
  EXPECT_FALSE(verification.speedup_of_changed);
  EXPECT_FALSE(verification.better());
  EXPECT_NE(verification_text(verification).find("changes nothing"), std::string::npos);
}

TEST(Verification, OfAlgorithmsComparesThemWithinALaunchAlone) {
  const auto native = launches(allreduce("native", 4, 8), {10, 10, 10});
  auto ring = launches(allreduce("ring", 4, 8), {5, 5, 20});
  const std::vector tried{tried_with("ring", 8)};
  EXPECT_EQ(verify_table(join({native, ring}), tried).cells.at(0).speedup.count, 3);
  ring[2].launch = 17;  // which began again after it had solved the problem by default
  const Verification verification = verify_table(join({native, ring}), tried);
  EXPECT_EQ(verification.cells.at(0).speedup.count, 2);
  EXPECT_NEAR(verification.cells.at(0).speedup.median, 2, 1e-9);
}

TEST(Verification, OfTheDefaultItselfIsOneWithoutBeingMeasured) {
  const std::vector tried{tried_with("ring", 8), tried_with("native", 64)};
  const auto measurements = join({launches(allreduce("native", 4, 8), {16, 16.1, 16}),
                                  launches(allreduce("ring", 4, 8), {4, 4, 4})});
  const Verification verification = verify_table(measurements, tried);
  ASSERT_EQ(verification.cells.size(), 2U);
  EXPECT_EQ(verification.cells.at(1).speedup.median, 1);
  EXPECT_EQ(verification.cells.at(1).speedup.count, 0);
  EXPECT_FALSE(verification.any_fails());
  EXPECT_NEAR(verification.speedup_of_changed->median, 4, 0.01);
  EXPECT_NEAR(verification.speedup.median, 2, 0.01);
  EXPECT_NE(verification_text(verification).find("1 (the same call)"), std::string::npos);
}

TEST(Verification, OfATableThatIsTheDefaultNeedsNoMeasurement) {
  const Verification verification = verify_table({}, std::vector{tried_with("native", 8)});
  EXPECT_EQ(verification.speedup.median, 1);
  EXPECT_FALSE(verification.better());
  EXPECT_THROW((void)verify_table({}, std::vector{tried_with("native", 8), tried_with("ring", 16)}),
               UsageError);
}

/// One process more than cores makes the table fifty times as slow there.
std::vector<Measurement> with_turns(bool everywhere) {
  std::vector<Measurement> all = cell(8, {10, 10, 10.1, 10}, {5, 5.1, 5, 5});
  for (Measurement& each : all) each.oversubscribed = everywhere;
  for (const auto& [algorithm, time] : {std::pair{"native", 10.0}, std::pair{"tuned", 500.0}}) {
    for (Measurement each : launches(allreduce(algorithm, 5, 8), {time, time, 1.01 * time, time})) {
      each.oversubscribed = true;
      each.launch += 100;
      all.push_back(each);
    }
  }
  return all;
}

TEST(Verification, CountsMoreProcessesThanCoresInNoMeanAndNoVerdict) {
  const Verification verification = verify_with_ring(with_turns(false));
  ASSERT_EQ(verification.cells.size(), 2U);
  EXPECT_TRUE(verification.cells.at(1).aside);
  EXPECT_TRUE(verification.cells.at(1).fails);
  EXPECT_FALSE(verification.any_fails());
  EXPECT_TRUE(verification.better());
  EXPECT_NEAR(verification.speedup.median, 2, 0.03);
  EXPECT_NE(verification_text(verification).find("1 cells (*) have more processes than cores"),
            std::string::npos);
  const Verification alone = verify_with_ring(with_turns(true));
  EXPECT_TRUE(alone.any_fails());
  EXPECT_NE(verification_text(alone).find("all measured cells have more processes than cores"),
            std::string::npos);
}

TEST(Verification, SaysHowManyLaunchesMayDecide) {
  EXPECT_EQ(decision_text({.median = 1.1, .low = 1.02, .high = 1.2, .count = 4}, "launches"),
            "faster");
  EXPECT_EQ(decision_text({.median = 0.9, .low = 0.8, .high = 0.98, .count = 4}, "launches"),
            "slower");
  EXPECT_EQ(decision_text({.median = 1.1, .low = 0.9, .high = 1.35, .count = 8}, "pairs of runs"),
            "undecided: some 38 pairs of runs may decide, by --launches");
  EXPECT_EQ(decision_text({.median = 1, .low = 0.9, .high = 1.1, .count = 8}, "launches"),
            "undecided: not even 1000 launches would probably decide");
}

TEST(Verification, NeedsPairs) {
  EXPECT_THROW((void)verify_with_ring(launches(allreduce("native", 4, 8), {1, 2, 3})), UsageError);
  EXPECT_THROW((void)verify_with_ring(cell(8, {10}, {5})), UsageError);
}

}  // namespace
}  // namespace breakeven::verify
