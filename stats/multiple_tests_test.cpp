// SPDX-License-Identifier: BSD-3-Clause
#include "stats/multiple_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace breakeven::stats {
namespace {

using Values = std::vector<double>;

void expect_near(const Values& values, const Values& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-15) << i;
}

// In rising order 0.01, 0.02, 0.03, 0.04: times 4, 3, 2, 1, and none below the one before.
TEST(Holm, AdjustsInTheOrderGiven) {
  expect_near(holm(Values{0.02, 0.04, 0.01, 0.03}), {0.06, 0.06, 0.04, 0.06});
  expect_near(holm(Values{0.01, 0.04, 0.5}), {0.03, 0.08, 0.5});
}

// The 15 p-values of the example in Benjamini and Hochberg, 1995: three are rejected at 0.05.
TEST(Holm, RejectWhatThePublishedExampleDoes) {
  const Values p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  const auto rejected = [](const Values& adjusted) {
    return std::ranges::count_if(adjusted, [](double value) { return value <= 0.05; });
  };
  EXPECT_EQ(rejected(holm(p)), 3);
}

TEST(Holm, OfOneOrEqualOrNone) {
  expect_near(holm(Values{0.3}), {0.3});
  expect_near(holm(Values{0.4, 0.4, 0.4}), {1, 1, 1});
  EXPECT_TRUE(holm({}).empty());
}

TEST(AtLook, SpendsTheLevelOverAllLooks) {
  double spent = 0;  // the p-values that just reach a level of 1 at each look
  for (int look = 1; look <= 10000; ++look) {
    EXPECT_DOUBLE_EQ(at_look(look, 1.0 / (look * (look + 1.0))), 1);
    spent += 1.0 / (look * (look + 1.0));
  }
  EXPECT_NEAR(spent, 1, 1e-3);
  EXPECT_EQ(at_look(3, 0.5), 1);
}

}  // namespace
}  // namespace breakeven::stats
