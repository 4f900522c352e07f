// SPDX-License-Identifier: BSD-3-Clause
#include "core/counts.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace breakeven {

namespace {

__extension__ using Wide = unsigned __int128;

/// Weights proportional to the sizes of the blocks, each below 2^30.
std::vector<std::uint64_t> weights_of(Counts counts, int procs, Rank root) {
  constexpr std::uint64_t kSpike = 16;
  std::mt19937 random;  // NOLINT(*-msc51-cpp): the same numbers in each run
  std::vector<std::uint64_t> weights;
  for (int i = 0; i < procs; ++i) {
    switch (counts) {
      case Counts::equal: weights.push_back(1); break;
      case Counts::linear: weights.push_back(procs == 1 ? 1 : static_cast<std::uint64_t>(i)); break;
      case Counts::geometric: weights.push_back((std::uint64_t{1} << 29) >> std::min(i, 63)); break;
      case Counts::random: weights.push_back(random() % 1000); break;
      case Counts::spikes: weights.push_back(i % 4 == 1 ? kSpike : 1); break;
      case Counts::one: weights.push_back(i == procs - 1 ? 1 : 0); break;
      case Counts::root: weights.push_back(i == root.value ? 1 : 0); break;
    }
  }
  return weights;
}

}  // namespace

std::vector<std::int64_t> block_counts(Counts counts, int procs, std::int64_t mean, Rank root) {
  const std::vector<std::uint64_t> weights = weights_of(counts, procs, root);
  const auto whole = std::reduce(weights.begin(), weights.end());
  const Wide elements = Wide(mean) * static_cast<unsigned>(procs);
  std::vector<std::int64_t> blocks;
  std::uint64_t weight = 0;  // of the blocks up to this one
  std::int64_t begin = 0;
  for (const std::uint64_t each : weights) {
    weight += each;
    const auto end = static_cast<std::int64_t>(elements * weight / whole);
    blocks.push_back(end - begin);
    begin = end;
  }
  return blocks;
}

std::vector<std::int64_t> exchange_counts(Counts counts, int procs, std::int64_t mean, Rank me) {
  std::vector<std::int64_t> blocks = block_counts(counts, procs, mean);
  std::ranges::rotate(blocks, blocks.begin() + me.value);
  return blocks;
}

}  // namespace breakeven
