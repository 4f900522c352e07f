// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// Neighbouring ranks whose number is a binary digit of p; the largest comes first. Size 0: none.
///
///     p = 7    ranks 0..3 | 4 5 | 6
struct BinaryBlock {
  int first = 0;
  int size = 0;

  [[nodiscard]] static BinaryBlock largest(int procs) { return BinaryBlock{}.smaller(procs); }
  [[nodiscard]] static BinaryBlock of(Rank rank, int procs) {
    BinaryBlock block = largest(procs);
    while (rank >= block.rank(block.size)) block = block.smaller(procs);
    return block;
  }

  /// The next larger and the next smaller block.
  [[nodiscard]] BinaryBlock larger() const {
    const int lowest_digit = first & -first;
    return {first - lowest_digit, lowest_digit};
  }
  [[nodiscard]] BinaryBlock smaller(int procs) const {
    const int begin = first + size;
    return {begin, static_cast<int>(std::bit_floor(static_cast<unsigned>(procs - begin)))};
  }
  [[nodiscard]] Rank rank(int number) const { return {first + number}; }
};

/// Appends the first part of the binary blocks algorithms: each block does a reduce-scatter by
/// halving, see kernels/halving.hpp; from the smallest block on, what a process then has is passed
/// to those of the next larger block that have parts of the same, which reduce it further.
/// @return the blocks that the rank holds: finished in the largest block, passed on in others
/// @see [rabenseifner2004], section 2.6 and Fig. 2
BlockRange reduce_scatter_in_binary_blocks(Schedule& schedule, const Problem& op);

}  // namespace breakeven::kernels
