// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/elimination.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/fold.hpp"

namespace breakeven::kernels::allreduce {
namespace {

/// The rounds until all meetings are over, when a third's part is taken in in a round of its own.
int rounds_with_overlap(int procs) {
  std::vector<std::vector<Meeting>> of_rank;
  of_rank.reserve(static_cast<std::size_t>(procs));
  for (int rank = 0; rank < procs; ++rank) of_rank.push_back(meetings(procs, {rank}));
  std::vector<int> ready(static_cast<std::size_t>(procs));
  const auto at = [&ready](Rank rank) { return ready[static_cast<std::size_t>(rank.value)]; };
  for (std::size_t level = 0; procs >> level > 1; ++level) {
    std::vector<int> next = ready;
    for (std::size_t rank = 0; rank < of_rank.size(); ++rank) {
      if (level >= of_rank[rank].size()) continue;
      const auto& [lower, upper, third] = of_rank[rank][level];
      const int lower_ready = third ? std::max(at(lower), at(*third)) + 1 : at(lower);
      next[rank] = std::max(lower_ready, at(upper)) + 1;
    }
    ready = next;
  }
  return *std::ranges::max_element(ready);
}

TEST(Meetings, OfTwoToOneEliminationLoseOneRoundHoweverManyAreEliminated) {
  for (int procs = 1; procs <= 300; ++procs) {
    EXPECT_EQ(rounds_with_overlap(procs), ceil_log2(procs)) << procs;
  }
}

}  // namespace
}  // namespace breakeven::kernels::allreduce
