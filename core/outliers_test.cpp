// SPDX-License-Identifier: BSD-3-Clause
#include "core/outliers.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven {
namespace {

using Values = std::vector<double>;

// Of 1, ..., 9 the quartiles are 3 and 7.
TEST(TukeyFences, StandAtInterquartileRangesFromTheQuartiles) {
  const Values values{9, 1, 8, 2, 7, 3, 6, 4, 5};
  EXPECT_EQ(tukey_fences(values).low, -3);
  EXPECT_EQ(tukey_fences(values).high, 13);
  EXPECT_EQ(tukey_fences(values, 3).high, 19);
  EXPECT_EQ(tukey_fences(Values{4}).low, 4);
  EXPECT_EQ(tukey_fences(Values{1, 3}).high, 4);
  EXPECT_THROW((void)tukey_fences({}), Error);
}

TEST(Outliers, AreNamedByWhereTheyAre) {
  const Values values{5, 13.5, 4, 6, -20, 13, -3};
  EXPECT_EQ(outliers(values, {.low = -3, .high = 13}), (std::vector<std::size_t>{1, 4}));
}

TEST(Outliers, OfEqualValuesAreWhateverDiffers) {
  const Values values{2, 2, 2, 2, 2.5, 2, 2, 2};
  EXPECT_EQ(outliers(values, tukey_fences(values)), std::vector<std::size_t>{4});
  EXPECT_TRUE(outliers(Values{2, 2, 2}, tukey_fences(Values{2, 2, 2})).empty());
}

}  // namespace
}  // namespace breakeven
