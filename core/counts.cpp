// SPDX-License-Identifier: BSD-3-Clause
#include "core/counts.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace breakeven {

namespace {

/// The elements of all blocks before block i, rounded down so that the blocks make up the whole.
std::int64_t elements_before(Counts counts, std::int64_t procs, std::int64_t mean, std::int64_t i) {
  switch (counts) {
    case Counts::equal: return mean * i;
    case Counts::linear: {
      if (procs == 1) return mean * i;
      // mean * i (i - 1) / (p - 1), in parts that fit 64 bits
      const std::int64_t pairs = i * (i - 1);
      return mean / (procs - 1) * pairs + mean % (procs - 1) * pairs / (procs - 1);
    }
  }
  throw Error("not counts");
}

}  // namespace

std::vector<std::int64_t> block_counts(Counts counts, int procs, std::int64_t mean) {
  std::vector<std::int64_t> blocks;
  for (int i = 0; i < procs; ++i) {
    blocks.push_back(elements_before(counts, procs, mean, i + 1) -
                     elements_before(counts, procs, mean, i));
  }
  return blocks;
}

std::vector<std::int64_t> exchange_counts(Counts counts, int procs, std::int64_t mean, Rank me) {
  std::vector<std::int64_t> blocks = block_counts(counts, procs, mean);
  std::ranges::rotate(blocks, blocks.begin() + me.value);
  return blocks;
}

}  // namespace breakeven
