// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/assignment.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace breakeven::tuner {
namespace {

using Choices = std::vector<std::size_t>;
constexpr std::size_t kNobody = 99;
constexpr double kNone = std::numeric_limits<double>::infinity();

/// The sum that is to be least.
double sum_of(std::span<const SizeCosts> sizes, const Choices& choices, double price,
              std::size_t by_default) {
  double sum = by_default < sizes.front().costs.size() && choices[0] != by_default ? price : 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sum += sizes[i].weight * sizes[i].costs[choices[i]];
    if (i > 0 && choices[i] != choices[i - 1]) sum += price;
  }
  return sum;
}

TEST(Assignment, IsAsCheapAsTheBestOfAll) {
  std::mt19937_64 random{7};
  std::uniform_real_distribution<double> cost{0, 1};
  for (int trial = 0; trial < 200; ++trial) {
    constexpr std::size_t kSizes = 5;
    constexpr std::size_t kCandidates = 3;
    std::vector<SizeCosts> sizes;
    for (std::size_t i = 0; i < kSizes; ++i) {
      sizes.push_back(
          {.weight = cost(random), .costs = {cost(random), cost(random), cost(random)}});
    }
    const double price = cost(random) / 2;
    const std::size_t by_default = trial % 2 == 0 ? 1 : kNobody;
    double least = kNone;
    for (std::size_t code = 0; code < 3 * 3 * 3 * 3 * 3; ++code) {
      Choices choices;
      for (std::size_t i = 0, rest = code; i < kSizes; ++i, rest /= kCandidates) {
        choices.push_back(rest % kCandidates);
      }
      least = std::min(least, sum_of(sizes, choices, price, by_default));
    }
    const Choices found = cheapest_assignment(sizes, price, by_default);
    EXPECT_NEAR(sum_of(sizes, found, price, by_default), least, 1e-12) << "trial " << trial;
  }
}

TEST(Assignment, AChoiceThatIsNoneIsLeftWhateverItCosts) {
  const std::vector<SizeCosts> sizes{{.costs = {0, 1}}, {.costs = {kNone, 1}}, {.costs = {0, 1}}};
  EXPECT_EQ(cheapest_assignment(sizes, 10, kNobody), (Choices{1, 1, 1}));
  EXPECT_EQ(cheapest_assignment(sizes, 0.1, kNobody), (Choices{0, 1, 0}));
}

TEST(Assignment, TheDefaultIsFreeAndWinsATie) {
  const std::vector<SizeCosts> sizes{{.costs = {0, 0.5}}, {.costs = {0, 0.5}}};
  EXPECT_EQ(cheapest_assignment(sizes, 0.9, 1), (Choices{0, 0}));
  EXPECT_EQ(cheapest_assignment(sizes, 1.1, 1), (Choices{1, 1}));
}

}  // namespace
}  // namespace breakeven::tuner
