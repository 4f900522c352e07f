// SPDX-License-Identifier: BSD-3-Clause
#include "stats/launch_median.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/error.hpp"

namespace breakeven::stats {
namespace {

using Values = std::vector<double>;

// The quartiles of 1, ..., 9 and of these with two values more at the ends are at most 3 and 7 and
// at least 2.5 and 7.5: the fences stand at -5 and 15 at the outermost.
TEST(LaunchMedian, CountsWhatLiesBeyondTukeysFences) {
  EXPECT_EQ(launch_median(Values{9, 1, 8, 2, 7, 3, 6, 4, 5}, false).outliers, 0);
  EXPECT_EQ(launch_median(Values{9, 1, 8, 2, 16, 7, 3, 6, -6, 4, 5}, false).outliers, 2);
  EXPECT_EQ(launch_median(Values{9, 1, 8, 2, 14, 7, 3, 6, -4, 4, 5}, false).outliers, 0);
}

TEST(LaunchMedian, OfEqualValuesTakesWhateverDiffersForAnOutlier) {
  EXPECT_EQ(launch_median(Values{2, 2, 2, 2, 2.5, 2, 2, 2}, false).outliers, 1);
  EXPECT_EQ(launch_median(Values{4}, false).outliers, 0);
}

// Three times 1, 2, 3, 4 and two spikes: the median is 3, and 2.5 without the spikes.
TEST(LaunchMedian, LeavesOutliersOutWhereThatIsAskedFor) {
  const Values samples{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 90, 90};
  EXPECT_EQ(launch_median(samples, false).seconds.median, 3);
  EXPECT_EQ(launch_median(samples, true).seconds.median, 2.5);
  EXPECT_EQ(launch_median(samples, true).seconds.count, 12);
  EXPECT_EQ(launch_median(samples, true).outliers, 2);
}

TEST(LaunchMedian, OfNoSampleIsAnError) { EXPECT_THROW((void)launch_median({}, false), Error); }

}  // namespace
}  // namespace breakeven::stats
