// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/proof.hpp"

#include <gtest/gtest.h>

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

Proof prove_with_ring(const std::vector<Measurement>& measurements) {
  return prove(measurements, [](const Case&) { return "openmpi:ring"; });
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
  const Proof proof =
      prove(cell(8, {10, 10, 10}, {5, 5, 5.1}), [](const Case&) { return "native"; });
  EXPECT_FALSE(proof.gain_of_changed);
  EXPECT_FALSE(proof.better());
  EXPECT_NE(proof_text(proof).find("changes nothing"), std::string::npos);
}

TEST(Proof, NeedsPairs) {
  EXPECT_THROW((void)prove_with_ring(launches(allreduce("native", 4, 8), {1, 2, 3})), UsageError);
  EXPECT_THROW((void)prove_with_ring(cell(8, {10}, {5})), UsageError);
}

}  // namespace
}  // namespace breakeven
