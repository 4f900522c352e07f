// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/weights.hpp"

#include <gtest/gtest.h>

#include "tables/testing.hpp"
#include "tuner/contest.hpp"

namespace breakeven::tuner {
namespace {

using tables::testing::allreduce;

/// Sizes 8, 16, 32 B at p = 4, which stand for three doublings, and 8, 128 B at p = 8, for five.
const std::vector<LineSizes> kLines{{allreduce("", 4, 8), {{8}, {16}, {32}}},
                                    {allreduce("", 8, 8), {{8}, {128}}}};

Called called(int procs, std::int64_t bytes) {
  return {Collective::allreduce, {procs, 1, procs}, {bytes}};
}

TEST(Weights, AreOneWithoutAProgramThatCallsThis) {
  const std::vector<std::vector<double>> even{{1, 1, 1}, {1, 1}};
  EXPECT_EQ(weights_of(kLines, {}), even);
  EXPECT_EQ(weights_of(kLines, {{called(5, 8), {1}}}), even);
}

TEST(Weights, AreByTimeButForATenth) {
  const auto weights =
      weights_of(kLines, {{called(4, 16), {3}}, {called(8, 128), {1}}, {called(5, 8), {9}}});
  ASSERT_EQ(weights.size(), 2U);
  // Of 8 doublings nine tenths: three quarters of these on one doubling, one on two and a half.
  EXPECT_NEAR(weights[0][0], 0.1, 1e-12);
  EXPECT_NEAR(weights[0][1], 0.1 + 0.9 * 8 * 0.75, 1e-12);
  EXPECT_NEAR(weights[0][2], 0.1, 1e-12);
  EXPECT_NEAR(weights[1][0], 0.1, 1e-12);
  EXPECT_NEAR(weights[1][1], 0.1 + 0.9 * 8 * 0.25 / 2.5, 1e-12);
}

TEST(Weights, OfAGainTellTheTimeThatItSaves) {
  const ProgramTime time{{called(4, 16), {3}}, {called(8, 128), {1}}, {called(5, 8), {9}}};
  EXPECT_NEAR(time_of_doubling(kLines, time).value, 4 / (0.9 * 8), 1e-12);
}

TEST(Weights, LeaveTheSumOverAllDoublingsAsItIs) {
  const auto weights = weights_of(kLines, {{called(4, 8), {1}}, {called(8, 64), {0.3}}});
  double sum = 0;
  for (std::size_t i = 0; i < kLines.size(); ++i) {
    const std::vector<double> widths = widths_of(kLines[i].sizes);
    for (std::size_t j = 0; j < widths.size(); ++j) sum += widths[j] * weights[i][j];
  }
  EXPECT_NEAR(sum, 8, 1e-12);
}

}  // namespace
}  // namespace breakeven::tuner
