// SPDX-License-Identifier: BSD-3-Clause
#include "stats/belief.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "stats/random.hpp"

namespace breakeven::stats {
namespace {

TEST(Belief, NearLeastIsHowOftenDrawsSay) {
  const std::array all{Belief{1, 0.04}, Belief{1.1, 0.01}, Belief{0.9, 0.25}, Belief{2, 0.0001}};
  constexpr int kDraws = 100000;
  constexpr double kMargin = 0.1;
  std::array<int, 4> near{};
  std::mt19937_64 random{3};
  for (int draw = 0; draw < kDraws; ++draw) {
    std::array<double, 4> value{};
    for (std::size_t i = 0; i < 4; ++i) {
      value[i] = all[i].mean + all[i].deviation() * standard_normal(random);
    }
    const double least = *std::ranges::min_element(value);
    for (std::size_t i = 0; i < 4; ++i) near[i] += value[i] <= least + kMargin ? 1 : 0;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(probability_near_least(all, i, kMargin), near[i] / double{kDraws}, 0.006) << i;
  }
}

TEST(Belief, WhatIsKnownExactlyIsNearOrNot) {
  const std::array all{Belief{1, 0}, Belief{1.02, 0}, Belief{1.05, 0}};
  EXPECT_NEAR(probability_near_least(all, 1, 0.03), 1, 1e-4);
  EXPECT_NEAR(probability_near_least(all, 2, 0.03), 0, 1e-4);
}

TEST(Belief, SignificantlyLessIsTwoDeviationsAway) {
  EXPECT_TRUE(significantly_less({1, 0.01}, {1.3, 0.01}));
  EXPECT_FALSE(significantly_less({1, 0.01}, {1.25, 0.01}));
  EXPECT_FALSE(significantly_less({1, 0}, {1, 0}));
}

}  // namespace
}  // namespace breakeven::stats
