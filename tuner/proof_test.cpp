// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/proof.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "tuner/proof_text.hpp"
#include "tuner/testing.hpp"

namespace breakeven {
namespace {

using testing::allreduce;
using testing::join;
using testing::launches;

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
    TriedProblem each{.problem = problem, .choice = choice, .with_table = problem};
    each.with_table.algorithm = kTuned;
    tried.push_back(each);
  }
  return tried;
}

Proof prove_with_ring(const std::vector<Measurement>& measurements) {
  return prove(measurements, all_of(measurements, "openmpi:ring"));
}

/// A problem that our own table solves by this algorithm.
TriedProblem tried_with(const std::string& algorithm, std::int64_t bytes) {
  const Case choice = allreduce(algorithm, 4, bytes);
  return {.problem = without_algorithm(choice), .choice = algorithm, .with_table = choice};
}

TEST(Proof, ComparesWithinEachRepeatSoThatDriftOfTheMachineIsNoDoubt) {
  const Proof proof = prove_with_ring(cell(8, {10, 20, 40, 10}, {5, 10.1, 20, 5}));
  EXPECT_NEAR(proof.cells.at(0).gain.median, 2, 0.01);
  EXPECT_EQ(proof.cells.at(0).effect, Effect::better);
  EXPECT_TRUE(proof.better());
  EXPECT_FALSE(proof.any_fails());
}

TEST(Proof, FailsWhereACellIsSlowerThanToleratedBeyondDoubt) {
  const Proof proof =
      prove_with_ring(join({cell(8, {10, 10, 10, 10}, {5, 5.1, 5, 5}),
                            cell(64, {10, 10, 10, 10}, {10.6, 10.61, 10.6, 10.6})}));
  EXPECT_FALSE(proof.cells.at(0).fails);
  EXPECT_TRUE(proof.cells.at(1).fails);
  EXPECT_TRUE(proof.any_fails());
}

TEST(Proof, DoesNotFailForALossThatIsTolerated) {
  const Proof proof = prove_with_ring(cell(64, {10, 10, 10, 10}, {10.2, 10.21, 10.2, 10.2}));
  EXPECT_EQ(proof.cells.at(0).effect, Effect::worse);
  EXPECT_FALSE(proof.any_fails());
}

TEST(Proof, DoesNotFailForOneOfManyCellsThatIsSlowByChance) {
  // Alone it would: its loss is 3 % beyond 95 %. Among forty, one such is expected.
  const auto slow = cell(8, {10, 10, 10, 10}, {10.5, 10.4, 10.7, 10.6});
  EXPECT_TRUE(prove_with_ring(slow).any_fails());
  std::vector<Measurement> many = slow;
  for (int i = 2; i < 42; ++i)
    many = join({many, cell(8 * i, {10, 10.1, 9.9, 10}, {10, 10, 10, 10})});
  EXPECT_FALSE(prove_with_ring(many).any_fails());
}

TEST(Proof, OfATableThatChangesNothingIsNotBetter) {
  const auto measurements = cell(8, {10, 10, 10}, {5, 5, 5.1});
  const Proof proof = prove(measurements, all_of(measurements, "native"));
  EXPECT_FALSE(proof.gain_of_changed);
  EXPECT_FALSE(proof.better());
  EXPECT_NE(proof_text(proof).find("changes nothing"), std::string::npos);
}

TEST(Proof, OfAlgorithmsComparesThemWithinALaunchAlone) {
  const auto native = launches(allreduce("native", 4, 8), {10, 10, 10});
  auto ring = launches(allreduce("ring", 4, 8), {5, 5, 20});
  const std::vector tried{tried_with("ring", 8)};
  EXPECT_EQ(prove(join({native, ring}), tried).cells.at(0).gain.count, 3);
  ring[2].launch = 17;  // which began again after it had solved the problem by default
  const Proof proof = prove(join({native, ring}), tried);
  EXPECT_EQ(proof.cells.at(0).gain.count, 2);
  EXPECT_NEAR(proof.cells.at(0).gain.median, 2, 1e-9);
}

TEST(Proof, OfTheDefaultItselfIsOneWithoutBeingMeasured) {
  const std::vector tried{tried_with("ring", 8), tried_with("native", 64)};
  const auto measurements = join({launches(allreduce("native", 4, 8), {16, 16.1, 16}),
                                  launches(allreduce("ring", 4, 8), {4, 4, 4})});
  const Proof proof = prove(measurements, tried);
  ASSERT_EQ(proof.cells.size(), 2U);
  EXPECT_EQ(proof.cells.at(1).gain.median, 1);
  EXPECT_EQ(proof.cells.at(1).gain.count, 0);
  EXPECT_FALSE(proof.any_fails());
  EXPECT_NEAR(proof.gain_of_changed->median, 4, 0.01);
  EXPECT_NEAR(proof.gain.median, 2, 0.01);
  EXPECT_NE(proof_text(proof).find("1 (the same call)"), std::string::npos);
}

TEST(Proof, OfATableThatIsTheDefaultNeedsNoMeasurement) {
  const Proof proof = prove({}, std::vector{tried_with("native", 8)});
  EXPECT_EQ(proof.gain.median, 1);
  EXPECT_FALSE(proof.better());
  EXPECT_THROW((void)prove({}, std::vector{tried_with("native", 8), tried_with("ring", 16)}),
               UsageError);
}

TEST(Proof, NeedsPairs) {
  EXPECT_THROW((void)prove_with_ring(launches(allreduce("native", 4, 8), {1, 2, 3})), UsageError);
  EXPECT_THROW((void)prove_with_ring(cell(8, {10}, {5})), UsageError);
}

}  // namespace
}  // namespace breakeven
