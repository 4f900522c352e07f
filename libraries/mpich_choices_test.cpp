// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/mpich_choices.hpp"

#include <gtest/gtest.h>

#include <array>

namespace breakeven {
namespace {

using Choices = std::vector<std::string>;
constexpr std::array<std::string_view, 6> kKnown{"auto", "binomial", "nb",
                                                 "smp",  "ring",     "scatter_ring_allgather"};

TEST(MpichChoices, AreReadWhereTheyAreGluedToTheText) {
  EXPECT_EQ(mpich_choices("Variable to select bcast algorithmauto - Internal (see FILE)binomial    "
                          "- Force Binomial Treenb   - Force nonblocking algorithmsmp - Force smp "
                          "algorithmscatter_ring_allgather    - Force Scatter Ring",
                          kKnown),
            (Choices{"auto", "binomial", "nb", "smp", "scatter_ring_allgather"}));
}

TEST(MpichChoices, ThatNobodyKnowsKeepTheirNumber) {
  EXPECT_EQ(mpich_choices("auto - Internalquantum - Force itring - Force ring", kKnown),
            (Choices{"auto", "", "ring"}));
}

TEST(MpichChoices, OfAVariableWithoutWordsAreNone) {
  EXPECT_EQ(mpich_choices("the number of things", kKnown), Choices{});
}

}  // namespace
}  // namespace breakeven
