// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/break_even.hpp"

#include <gtest/gtest.h>

#include "tables/testing.hpp"

namespace breakeven::tuner {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using tables::testing::allreduce;

/// The break-even point of two problems of 100 B and 200 B, each with times of "ring" and "bruck".
Bytes between(std::vector<Measurement> at_100, std::vector<Measurement> at_200) {
  const auto decisions = decide(join({std::move(at_100), std::move(at_200)}));
  return break_even(decisions.at(0), decisions.at(1));
}

std::vector<Measurement> both(std::int64_t bytes, double ring, double bruck) {
  return join({launches(allreduce("ring", 4, bytes), {ring, ring, ring}),
               launches(allreduce("bruck", 4, bytes), {bruck, bruck, bruck})});
}

TEST(BreakEven, LinesCrossAtTheWeightedMiddleRoundedUpToAnElement) {
  // Leads of 1 and 3 us: a quarter of the way, 125 B, and the next int begins at 128 B.
  EXPECT_EQ(between(both(100, 1, 2), both(200, 6, 3)), Bytes{128});
}

TEST(BreakEven, ACrossingOnAnElementStaysThere) {
  // A fifth of the way; as computed it lies 1e-14 B above 120 B.
  EXPECT_EQ(between(both(100, 1.0, 1.1), both(200, 1.4, 1.0)), Bytes{120});
}

TEST(BreakEven, ItLiesAboveTheSmallerSizeEvenWhenTheChoicesAreNearlyEqualThere) {
  const auto tied = join({launches(allreduce("native", 4, 100), {1, 1, 1}),
                          launches(allreduce("ring", 4, 100), {1 + 1e-7, 1 + 1e-7, 1 + 1e-7})});
  const auto apart = join({launches(allreduce("native", 4, 200), {4, 4, 4}),
                           launches(allreduce("ring", 4, 200), {2, 2, 2})});
  EXPECT_EQ(between(tied, apart), Bytes{104});
}

TEST(BreakEven, ItIsTheGeometricMeanWhenAChoiceIsMissingAtTheOtherSize) {
  // sqrt(100 * 200) = 141.4
  EXPECT_EQ(between(both(100, 1, 2), launches(allreduce("bruck", 4, 200), {1, 1, 1})), Bytes{144});
}

TEST(BreakEven, ItIsTheGeometricMeanWhenTheLinesDoNotCrossBetween) {
  // Native holds 100 B for want of evidence only: ring has the smaller median at both sizes.
  const auto undecided = join({launches(allreduce("native", 4, 100), {1, 3, 3}),
                               launches(allreduce("ring", 4, 100), {2, 2, 2})});
  const auto decided = join({launches(allreduce("native", 4, 200), {9, 9, 9}),
                             launches(allreduce("ring", 4, 200), {4, 4, 4})});
  EXPECT_EQ(between(undecided, decided), Bytes{144});
}

TEST(BreakEven, LinesAreThoseOfTheCountsWithWhichTheLargerChoiceIsWorthLeast) {
  const auto with = [](Counts counts, std::vector<Measurement> measurements) {
    for (Measurement& each : measurements) {
      each.what.collective = Collective::gatherv;
      each.what.op = Op::none;
      if (each.what.variant.algorithm() == "ring") each.what.variant = Native{};
      each.what.counts = counts;
    }
    return measurements;
  };
  // Native leads by 1 us at 100 B, bruck at 200 B by 3 us with equal counts, by 1 us with linear
  // ones: half of the way, where equal ones would give a quarter.
  EXPECT_EQ(
      between(join({with(Counts::equal, both(100, 1, 2)), with(Counts::linear, both(100, 1, 2))}),
              join({with(Counts::equal, both(200, 6, 3)), with(Counts::linear, both(200, 4, 3))})),
      Bytes{152});
}

}  // namespace
}  // namespace breakeven::tuner
