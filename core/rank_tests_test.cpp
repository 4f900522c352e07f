// SPDX-License-Identifier: BSD-3-Clause
#include "core/rank_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.hpp"

namespace breakeven {
namespace {

using Values = std::vector<double>;

/// U from its definition, over all pairs.
double pairs_won(std::span<const double> first, std::span<const double> second) {
  double won = 0;
  for (const double x : first) {
    for (const double y : second) won += x > y ? 1 : x == y ? 0.5 : 0;
  }
  return won;
}

/// The p-values of the rank-sum test from every way to deal out the values.
RankTest dealt_out(const Values& first, const Values& second) {
  Values both = first;
  both.insert(both.end(), second.begin(), second.end());
  RankTest test{.statistic = pairs_won(first, second), .less = 0, .greater = 0};
  double ways = 0;
  for (unsigned chosen = 0; chosen < 1U << both.size(); ++chosen) {
    if (static_cast<std::size_t>(std::popcount(chosen)) != first.size()) continue;
    Values left;
    Values right;
    for (std::size_t i = 0; i < both.size(); ++i) {
      ((chosen >> i & 1U) != 0 ? left : right).push_back(both[i]);
    }
    const double won = pairs_won(left, right);
    test.less += won <= test.statistic ? 1 : 0;
    test.greater += won >= test.statistic ? 1 : 0;
    ++ways;
  }
  test.less /= ways;
  test.greater /= ways;
  return test;
}

/// The p-values of the signed-rank test from every choice of signs, zeros staying zeros.
RankTest signs_flipped(const Values& differences) {
  Values sizes;
  for (const double difference : differences) sizes.push_back(std::abs(difference));
  const Values ranks = midranks(sizes);
  const auto sum = [&](auto&& is_above) {
    double above = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (differences[i] != 0 && is_above(i)) above += ranks[i];
    }
    return above;
  };
  RankTest test{
      .statistic = sum([&](std::size_t i) { return differences[i] > 0; }), .less = 0, .greater = 0};
  const unsigned ways = 1U << ranks.size();
  for (unsigned signs = 0; signs < ways; ++signs) {
    const double above = sum([&](std::size_t i) { return (signs >> i & 1U) != 0; });
    test.less += (above <= test.statistic ? 1.0 : 0.0) / ways;
    test.greater += (above >= test.statistic ? 1.0 : 0.0) / ways;
  }
  return test;
}

void expect_same(const RankTest& test, const RankTest& expected) {
  EXPECT_TRUE(test.exact);
  EXPECT_DOUBLE_EQ(test.statistic, expected.statistic);
  EXPECT_NEAR(test.less, expected.less, 1e-12);
  EXPECT_NEAR(test.greater, expected.greater, 1e-12);
  EXPECT_NEAR(test.two_sided, std::min(1.0, 2 * std::min(expected.less, expected.greater)), 1e-12);
}

TEST(Midranks, AreSharedByEqualValues) {
  EXPECT_EQ(midranks(Values{30, 10, 20}), (Values{3, 1, 2}));
  EXPECT_EQ(midranks(Values{5, 1, 5, 5, 9}), (Values{3, 1, 3, 3, 5}));
  EXPECT_EQ(midranks(Values{2, 2}), (Values{1.5, 1.5}));
  EXPECT_TRUE(midranks({}).empty());
}

// Of the 126 ways to choose 4 of 9, U <= 1 has two: Mann and Whitney's table, p(4, 5).
TEST(RankSumTest, FitsTheTable) {
  const RankTest test = rank_sum_test(Values{1, 2, 3, 5}, Values{4, 6, 7, 8, 9});
  EXPECT_EQ(test.statistic, 1);
  EXPECT_NEAR(test.less, 2.0 / 126, 1e-15);
  EXPECT_NEAR(test.two_sided, 4.0 / 126, 1e-15);
  EXPECT_NEAR(test.greater, 125.0 / 126, 1e-15);
}

TEST(RankSumTest, IsThatOfEveryWayToDealOutTheValues) {
  for (const auto& [first, second] : std::vector<std::pair<Values, Values>>{
           {{1}, {2}},
           {{1}, {1}},
           {{3}, {1, 2}},
           {{1, 1, 2}, {1, 2, 2, 3}},
           {{4, 4, 4, 9}, {1, 4, 4, 5, 5, 8}},
           {{1, 3, 5, 7, 9, 11}, {2, 4, 6, 8, 10, 12}},
           {{7, 7, 7}, {7, 7}},
           {{1, 2, 3, 4, 5, 6, 6}, {6}},
       }) {
    expect_same(rank_sum_test(first, second), dealt_out(first, second));
  }
}

TEST(RankSumTest, IsCountedUpToItsLimitAndCloseToThatBeyond) {
  Values first(26);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<double>(i * 2 % 23) + 3;
  Values second(24);
  for (std::size_t i = 0; i < second.size(); ++i) second[i] = static_cast<double>(i * 3 % 19);
  const RankTest counted = rank_sum_test(first, second);
  EXPECT_TRUE(counted.exact);
  second.push_back(9);  // a middle one
  const RankTest normal = rank_sum_test(first, second);
  EXPECT_FALSE(normal.exact);
  EXPECT_EQ(normal.statistic, pairs_won(first, second));
  EXPECT_NEAR(normal.greater, counted.greater, 0.01);
}

// Twenty ones and forty zeros against thirty of each: z by hand, with the variance for ties
// m n / (N (N - 1)) (sum of squares of the midranks about their mean).
TEST(RankSumTest, CorrectsTheNormalForTiesAndContinuity) {
  Values first(60, 0.0);
  std::fill_n(first.begin(), 20, 1.0);
  Values second(60, 0.0);
  std::fill_n(second.begin(), 30, 1.0);
  // Midranks: 70 zeros have 35.5, 50 ones 95.5; U = 20 30 + (20 30 + 40 30) / 2 = 1500.
  const double variance = 60.0 * 60 / (120 * 119) * (70 * 25.0 * 25 + 50 * 35.0 * 35);
  const RankTest test = rank_sum_test(first, second);
  EXPECT_EQ(test.statistic, 1500);
  EXPECT_NEAR(test.less, std::erfc(299.5 / std::sqrt(2 * variance)) / 2, 1e-12);
  EXPECT_NEAR(test.two_sided, 2 * test.less, 1e-15);
  EXPECT_NEAR(test.greater, std::erfc(-300.5 / std::sqrt(2 * variance)) / 2, 1e-12);
}

TEST(RankSumTest, FindsNothingWhereAllIsEqual) {
  EXPECT_EQ(rank_sum_test(Values(40, 1.0), Values(40, 1.0)).two_sided, 1);
  EXPECT_EQ(rank_sum_test(Values(4, 1.0), Values(4, 1.0)).two_sided, 1);
  EXPECT_THROW((void)rank_sum_test({}, Values{1}), Error);
}

TEST(SignedRankTest, IsThatOfEveryChoiceOfSigns) {
  for (const Values& differences : std::vector<Values>{
           {1},
           {-1},
           {1, -2, 3},
           {1, 1, -1, 2, 2},
           {0, 0, 1, -2, 3, 3, -4, 5},
           {-3, -3, 3, 3, 3, 0, 1, 2, 2, -7},
       }) {
    expect_same(signed_rank_test(differences), signs_flipped(differences));
  }
}

// Wilcoxon's table: a sum of 8 or less for ten differences has 25 of the 1024 choices of signs.
TEST(SignedRankTest, FitsTheTable) {
  const RankTest test = signed_rank_test(Values{-1, -2, 3, 4, -5, 6, 7, 8, 9, 10});
  EXPECT_EQ(test.statistic, 47);
  EXPECT_NEAR(test.greater, 25.0 / 1024, 1e-15);
}

TEST(SignedRankTest, LetsZerosTakePartInTheRankingOnly) {
  const RankTest test = signed_rank_test(Values{0, 0, 5, -1});
  EXPECT_EQ(test.statistic, 4);
  EXPECT_EQ(signed_rank_test(Values{0, 0}).two_sided, 1);
  EXPECT_THROW((void)signed_rank_test({}), Error);
}

// 1, ..., 60, of which 1, ..., 20 are below zero: mean 60 61 / 4, variance 60 61 121 / 24.
TEST(SignedRankTest, IsNormalBeyondWhatIsCounted) {
  Values differences(60);
  std::iota(differences.begin(), differences.end(), 1.0);
  for (std::size_t i = 0; i < 20; ++i) differences[i] = -differences[i];
  const RankTest test = signed_rank_test(differences);
  EXPECT_FALSE(test.exact);
  EXPECT_EQ(test.statistic, 1620);
  const double variance = 60.0 * 61 * 121 / 24;
  EXPECT_NEAR(test.greater, std::erfc((1620 - 915 - 0.5) / std::sqrt(2 * variance)) / 2, 1e-12);
  EXPECT_NEAR(test.less, std::erfc((915 - 1620 - 0.5) / std::sqrt(2 * variance)) / 2, 1e-12);
}

}  // namespace
}  // namespace breakeven
