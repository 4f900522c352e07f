// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/names.hpp"
#include "core/units.hpp"

namespace breakeven {

/// How the elements of an irregular collective are dealt out to its p blocks. Block i of them
/// belongs to process i; all have p times the mean block's elements together.
enum class Counts : std::uint8_t {
  equal,
  linear,  ///< block i is proportional to i, so that rank 0's is empty
};
inline constexpr Names<Counts, 2> kCounts{"counts",
                                          {{{Counts::equal, "equal"}, {Counts::linear, "linear"}}}};

/// The elements of each process's block; their sum is procs * mean exactly.
[[nodiscard]] std::vector<std::int64_t> block_counts(Counts counts, int procs, std::int64_t mean);

/// What `me` has for each process, and gets from each, in an irregular personalised exchange: for
/// process j block (me + j) mod p of block_counts. Rows and columns have the same blocks in another
/// order each, and i sends j as much as j sends i.
[[nodiscard]] std::vector<std::int64_t> exchange_counts(Counts counts, int procs, std::int64_t mean,
                                                        Rank me);

}  // namespace breakeven
