// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/crossing.hpp"

#include <gtest/gtest.h>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::kernels {
namespace {

Crossing of(Collective collective, std::string_view name, const Placement& placement, int procs) {
  const auto [algorithm, params] = find_variant(collective, name);
  return crossing(
      world_of(
          *algorithm,
          {.collective = collective, .procs = procs, .params = params, .placement = placement}),
      placement);
}

const Placement kSeq{.procs_per_node = 4, .mapping = Mapping::seq};
const Placement kRr{.procs_per_node = 4, .mapping = Mapping::rr};

TEST(Crossing, OfTheRingIsOneRankOrAllOfEachNode) {
  const double sent = 2 * 15.0 / 16;  // 2 (p - 1) / p m by each rank
  EXPECT_EQ(of(Collective::allreduce, "ring", kSeq, 16), (Crossing{sent, 30}));
  EXPECT_EQ(of(Collective::allreduce, "ring", kRr, 16), (Crossing{4 * sent, 120}));
  EXPECT_EQ(of(Collective::allreduce, "ring:reorder_ranks=seq", kRr, 16), (Crossing{sent, 30}));
}

TEST(Crossing, OfRecursiveDoublingAllgatherIsLeastWhereFarRanksAreMates) {
  // The exchanges at distance 1 and 2 carry 1 and 2 blocks, those at 4 and 8 carry 4 and 8.
  EXPECT_EQ(of(Collective::allgather, "recursive_doubling", kSeq, 16).sent, 4 * (4 + 8) / 16.0);
  EXPECT_EQ(of(Collective::allgather, "recursive_doubling", kRr, 16).sent, 4 * (1 + 2) / 16.0);
}

TEST(Crossing, IsNothingOnOneNode) {
  EXPECT_EQ(of(Collective::allreduce, "ring", {}, 8), (Crossing{0, 0}));
}

TEST(Crossing, IsLessWithLessSentAndThenWithFewerMessages) {
  EXPECT_LT((Crossing{1, 9}), (Crossing{2, 1}));
  EXPECT_LT((Crossing{1, 1}), (Crossing{1, 2}));
}

}  // namespace
}  // namespace breakeven::kernels
