// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/names.hpp"
#include "core/units.hpp"

namespace breakeven {

/// The block sizes of an irregular collective. Block i belongs to process i; together they have p
/// times the mean block's elements.
enum class Counts : std::uint8_t {
  equal,
  linear,     ///< block i is proportional to i, so that rank 0's is empty
  geometric,  ///< each block is half of the one before
  random,     ///< proportional to pseudo-random numbers, the same in each run
  spikes,     ///< every fourth block, from rank 1 on, is 16 times the others
  one,        ///< the last rank's block has all elements
  root,       ///< the root's block has all elements
};
inline constexpr Names<Counts, 7> kCounts{"counts",
                                          {{{Counts::equal, "equal"},
                                            {Counts::linear, "linear"},
                                            {Counts::geometric, "geometric"},
                                            {Counts::random, "random"},
                                            {Counts::spikes, "spikes"},
                                            {Counts::one, "one"},
                                            {Counts::root, "root"}}}};
constexpr const auto& names(Counts) { return kCounts; }

/// Whether one block has all elements.
[[nodiscard]] constexpr bool fill_one_block(Counts counts) {
  return counts == Counts::one || counts == Counts::root;
}

/// The elements of each process's block; their sum is procs * mean exactly.
[[nodiscard]] std::vector<std::int64_t> block_counts(Counts counts, int procs, std::int64_t mean,
                                                     Rank root = {});

/// The elements that `me` sends to and receives from each process in an irregular alltoall: for
/// process j block (me + j) mod p of block_counts. Every row and column has all blocks, and
/// processes i and j send each other equally much.
[[nodiscard]] std::vector<std::int64_t> exchange_counts(Counts counts, int procs, std::int64_t mean,
                                                        Rank me);

}  // namespace breakeven
