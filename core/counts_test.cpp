// SPDX-License-Identifier: BSD-3-Clause
#include "core/counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace breakeven {
namespace {

using Blocks = std::vector<std::int64_t>;

std::int64_t sum(const Blocks& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
}

TEST(BlockCounts, AreTheirFormulas) {
  EXPECT_EQ(block_counts(Counts::equal, 3, 5), (Blocks{5, 5, 5}));
  EXPECT_EQ(block_counts(Counts::linear, 5, 6), (Blocks{0, 3, 6, 9, 12}));
  EXPECT_EQ(block_counts(Counts::linear, 2, 5), (Blocks{0, 10}));
  EXPECT_EQ(block_counts(Counts::linear, 1, 5), (Blocks{5}));
  EXPECT_EQ(block_counts(Counts::geometric, 4, 15), (Blocks{32, 16, 8, 4}));
  EXPECT_EQ(block_counts(Counts::spikes, 6, 36), (Blocks{6, 96, 6, 6, 6, 96}));
  EXPECT_EQ(block_counts(Counts::one, 3, 5), (Blocks{0, 0, 15}));
  EXPECT_EQ(block_counts(Counts::root, 3, 5, {1}), (Blocks{0, 15, 0}));
  const Blocks random = block_counts(Counts::random, 4, 1000);
  EXPECT_EQ(random, block_counts(Counts::random, 4, 1000));
  EXPECT_EQ(std::set(random.begin(), random.end()).size(), 4);
}

TEST(BlockCounts, MakeUpTheWholeWithoutANegativeOneAtEveryPAndMean) {
  for (const auto& [counts, name] : kCounts.entries) {
    for (int procs = 1; procs <= 130; ++procs) {
      for (const std::int64_t mean : {0, 1, 2, 3, 7, 1000, 2147483647}) {
        const Blocks blocks = block_counts(counts, procs, mean);
        ASSERT_EQ(blocks.size(), static_cast<std::size_t>(procs));
        ASSERT_EQ(sum(blocks), procs * mean) << name << " p = " << procs << ", mean " << mean;
        ASSERT_GE(std::ranges::min(blocks), 0) << name << " p = " << procs << ", mean " << mean;
      }
    }
  }
}

TEST(BlockCounts, OfManyProcessesAndElementsDoNotOverflow) {
  const std::int64_t mean = 2147483647;
  const Blocks blocks = block_counts(Counts::linear, 1 << 16, mean);
  EXPECT_EQ(sum(blocks), (1 << 16) * mean);
  EXPECT_NEAR(static_cast<double>(blocks.back()), 2.0 * static_cast<double>(mean), 2);
}

TEST(BlockCounts, LinearOnesDifferFromTheirShareByLessThanAnElement) {
  for (const std::int64_t mean : {1, 5, 1000}) {
    const Blocks blocks = block_counts(Counts::linear, 7, mean);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(blocks[i]),
                  2.0 * static_cast<double>(mean) * static_cast<double>(i) / 6, 1);
    }
  }
}

TEST(ExchangeCounts, VaryOverRowsAndColumnsAndAreThoseOfThePartner) {
  constexpr int kProcs = 5;
  std::vector<Blocks> rows;
  for (int me = 0; me < kProcs; ++me) {
    rows.push_back(exchange_counts(Counts::linear, kProcs, 6, {me}));
  }
  EXPECT_EQ(rows[0], (Blocks{0, 3, 6, 9, 12}));
  EXPECT_EQ(rows[1], (Blocks{3, 6, 9, 12, 0}));
  for (std::size_t i = 0; i < kProcs; ++i) {
    EXPECT_EQ(sum(rows[i]), kProcs * 6);
    for (std::size_t j = 0; j < kProcs; ++j) EXPECT_EQ(rows[i][j], rows[j][i]);
  }
}

}  // namespace
}  // namespace breakeven
