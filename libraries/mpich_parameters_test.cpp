// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/mpich_parameters.hpp"

#include <gtest/gtest.h>

#include <array>

namespace breakeven::libraries::mpich {
namespace {

using Choices = std::vector<std::string>;
constexpr std::array<std::string_view, 6> kKnown{"auto", "binomial", "nb",
                                                 "smp",  "ring",     "scatter_ring_allgather"};

TEST(MpichChoices, AreReadWhereTheyAreGluedToTheText) {
  EXPECT_EQ(listed_words("Variable to select bcast algorithmauto - Internal (see FILE)binomial    "
                         "- Force Binomial Treenb   - Force nonblocking algorithmsmp - Force smp "
                         "algorithmscatter_ring_allgather    - Force Scatter Ring",
                         kKnown),
            (Choices{"auto", "binomial", "nb", "smp", "scatter_ring_allgather"}));
}

TEST(MpichChoices, ThatNobodyKnowsKeepTheirNumber) {
  EXPECT_EQ(listed_words("auto - Internalquantum - Force itring - Force ring", kKnown),
            (Choices{"auto", "", "ring"}));
}

TEST(MpichChoices, OfAVariableWithoutWordsAreNone) {
  EXPECT_EQ(listed_words("the number of things", kKnown), Choices{});
}

TEST(MpichNumbers, AreCountedWhereTheyAreGluedToTheText) {
  EXPECT_EQ(
      listed_numbers("Select composition (inter_node + intra_node) for Bcast0 Auto selection1 "
                     "NM + SHM with explicit send-recv between rank 0 and root2 NM + SHM "
                     "without the explicit send-recv3 NM only"),
      3U);
  EXPECT_EQ(listed_numbers("for Barrier0 Auto selection1 NM + SHM2 NM only"), 2U);
  EXPECT_EQ(listed_numbers("1 of 2 things"), 0U);
}

}  // namespace
}  // namespace breakeven::libraries::mpich
