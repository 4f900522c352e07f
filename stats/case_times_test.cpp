// SPDX-License-Identifier: BSD-3-Clause
#include "stats/case_times.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace breakeven::stats {
namespace {

CaseTimes times(ByLaunch<Seconds> by_launch) { return {.by_launch = std::move(by_launch)}; }

TEST(CaseTimes, MeasurementsOfOneCaseBecomeOneEntryWithOneTimePerRepeat) {
  const Case ring{.variant = Ours{"ring"}};
  const Case native{.variant = Native{}};
  const std::array measurements{
      Measurement{.what = ring, .launch = 1, .median = {3}},
      Measurement{.what = native, .launch = 0, .median = {2}},
      Measurement{.what = ring, .launch = 0, .median = {1}, .oversubscribed = true}};
  const auto cases = group_by_case(measurements);
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].what, native);
  EXPECT_FALSE(cases[0].oversubscribed);
  EXPECT_EQ(cases[1].what, ring);
  EXPECT_TRUE(cases[1].oversubscribed);
  EXPECT_EQ(cases[1].by_launch, (ByLaunch<Seconds>{{0, {1}}, {1, {3}}}));
  EXPECT_EQ(estimate(cases[1]).median, 2);
}

TEST(CaseTimes, RatiosAreTakenWithinALaunchAndOnlyWhereAllTermsWereMeasured) {
  // The second launch was ten times slower throughout: unpaired medians would call that a change.
  const CaseTimes left = times({{0, {2}}, {1, {20}}, {2, {2}}, {5, {99}}});
  const CaseTimes first = times({{0, {1}}, {1, {10}}, {2, {1}}, {7, {99}}});
  const CaseTimes second = times({{0, {3}}, {1, {30}}, {2, {3}}, {5, {99}}});
  const std::array above{&left};
  const std::array below{&first, &second};
  const auto ratio = estimate_ratio(above, below);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->count, 3);
  EXPECT_DOUBLE_EQ(ratio->low, 0.5);
  EXPECT_DOUBLE_EQ(ratio->high, 0.5);
}

TEST(CaseTimes, NoCommonLaunchGivesNoRatio) {
  const CaseTimes left = times({{0, {2}}});
  const CaseTimes right = times({{1, {1}}});
  const std::array above{&left};
  const std::array below{&right};
  EXPECT_FALSE(estimate_ratio(above, below));
}

TEST(LogRatios, AreOfTheLaunchesThatHaveBothAboveZero) {
  const ByLaunch<Seconds> above{{0, {2}}, {1, {20}}, {2, {0}}, {3, {1}}, {4, {5}}};
  const ByLaunch<Seconds> below{{0, {1}}, {1, {10}}, {2, {1}}, {3, {0}}, {5, {5}}};
  const ByLaunch<double> expected{{0, std::log(2)}, {1, std::log(2)}};
  EXPECT_EQ(log_ratios(above, below), expected);
}

}  // namespace
}  // namespace breakeven::stats
