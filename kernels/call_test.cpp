// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/call.hpp"

#include <gtest/gtest.h>

namespace breakeven::kernels {
namespace {

constexpr std::int64_t kMost = 2147483647;

/// The refusal of a call with this count, or with counts of their own; "" when MPI has such a call.
std::string call_refusal(Collective collective, std::int64_t count, int procs = 2,
                         const std::vector<std::int64_t>& counts = {},
                         Datatype datatype = Datatype::char_) {
  return beyond_int({.problem = {.collective = collective, .procs = procs},
                     .count = count,
                     .begins = counts.empty() ? std::vector<std::int64_t>{} : begins_of(counts),
                     .datatype = datatype})
      .value_or("");
}

TEST(BeyondInt, IsACountOfElementsButNotTheirBytesOrTheirSum) {
  EXPECT_EQ(call_refusal(Collective::bcast, kMost), "");
  EXPECT_EQ(call_refusal(Collective::allgather, kMost, 64, {}, Datatype::double_), "");
  EXPECT_EQ(call_refusal(Collective::allgather, kMost + 1),
            "a message of 2147483648 elements is more than MPI's int can count");
}

TEST(BeyondInt, IsABlockOrWhereTheLastOneBegins) {
  for (const Collective each : {Collective::allgatherv, Collective::gatherv, Collective::scatterv,
                                Collective::alltoallv, Collective::alltoallw}) {
    EXPECT_EQ(call_refusal(each, 0, 3, {0, kMost, 0}), "");
    EXPECT_EQ(call_refusal(each, 0, 3, {0, 0, kMost + 1}),
              "a block of 2147483648 elements is more than MPI's int can count");
    EXPECT_NE(call_refusal(each, 0, 3, {1, kMost, 1}), "");
  }
  EXPECT_EQ(call_refusal(Collective::allgatherv, 0, 2, {kMost, kMost}), "");
  EXPECT_EQ(call_refusal(Collective::allgatherv, kMost / 2 + 1, 2), "");
  EXPECT_EQ(call_refusal(Collective::allgatherv, kMost / 2 + 1, 3),
            "the last block's place, 2147483648 elements, is more than MPI's int can count");
  EXPECT_EQ(call_refusal(Collective::reduce_scatter, 0, 3, {kMost, kMost, kMost}), "");
}

TEST(BeyondInt, IsThatOfAnyRankWhereEachHasOtherBlocks) {
  // Another rank has them in another order, with the short one last.
  const std::vector<std::int64_t> blocks{1, kMost / 2 + 1, kMost / 2 + 1};
  EXPECT_NE(call_refusal(Collective::alltoallv, 0, 3, blocks), "");
  EXPECT_EQ(call_refusal(Collective::allgatherv, 0, 3, blocks), "");
}

TEST(BeyondInt, IsAPlaceInBytesWhereBlocksHaveTypes) {
  const std::vector<std::int64_t> blocks{kMost / 8 + 1, kMost / 8 + 1};
  EXPECT_EQ(call_refusal(Collective::alltoallv, 0, 2, blocks, Datatype::double_), "");
  EXPECT_EQ(call_refusal(Collective::alltoallw, 0, 2, blocks, Datatype::double_),
            "the last block's place, 2147483648 bytes, is more than MPI's int can count");
}

}  // namespace
}  // namespace breakeven::kernels
