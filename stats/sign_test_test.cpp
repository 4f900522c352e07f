// SPDX-License-Identifier: BSD-3-Clause
#include "stats/sign_test.hpp"

#include <gtest/gtest.h>

#include <random>

#include "stats/random.hpp"

namespace breakeven::stats {
namespace {

TEST(AnytimeSignTest, HasTheIntegralsOfAFewValues) {
  EXPECT_EQ(anytime_sign_test(0, 0), 1);
  EXPECT_DOUBLE_EQ(anytime_sign_test(1, 1), 1 / 1.5);        // 4 (1 - 1/4) / 2
  EXPECT_DOUBLE_EQ(anytime_sign_test(2, 2), 1 / (7.0 / 3));  // 8 (1 - 1/8) / 3
  EXPECT_EQ(anytime_sign_test(0, 5), 1);
  EXPECT_LT(anytime_sign_test(17, 17), 1e-4);
}

TEST(AnytimeSignTest, FallsWithEachValueAboveAndRisesWithEachOther) {
  EXPECT_LT(anytime_sign_test(9, 10), anytime_sign_test(8, 9));
  EXPECT_GT(anytime_sign_test(8, 10), anytime_sign_test(8, 9));
}

/// One who looks after every value, and stops at the first success.
TEST(AnytimeSignTest, IsFooledAsSeldomAsItsLevelSaysHoweverOftenItIsLookedAt) {
  std::mt19937_64 generator{1};
  constexpr int kTrials = 2000;
  int fooled = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    int above = 0;
    for (int values = 1; values <= 200; ++values) {
      above += uniform(generator) < 0.5 ? 1 : 0;
      if (anytime_sign_test(above, values) > 0.05) continue;
      ++fooled;
      break;
    }
  }
  EXPECT_LE(fooled, kTrials * 0.05);
  EXPECT_GT(fooled, 0);
}

}  // namespace
}  // namespace breakeven::stats
