// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// The steps of halving and doubling. Partial results lie in the output, block by block, and what
/// arrives to be reduced passes through scratch, slot i for block i. Of a pair, the higher rank
/// reduces the upper half of the blocks.

/// Half of a range of blocks: the upper, or the lower one.
[[nodiscard]] BlockRange half(BlockRange range, bool upper);

/// The range that together with `held` makes the one that was halved, in which `held` is the upper
/// or the lower half; and that one.
[[nodiscard]] BlockRange other_half(BlockRange held, bool upper);
[[nodiscard]] BlockRange joined(BlockRange held, BlockRange other);

/// Appends a step of vector halving: `me` and `twin` hold the blocks `held`, swap halves, and
/// reduce one half each into the output.
/// @param partial  the buffer in which `me` has the blocks
/// @return the blocks that `me` goes on with, in the output
BlockRange halve(Schedule& schedule, Rank me, Rank twin, BlockRange held, Buffer partial);

/// Appends the reverse of that step, without the reduction: the two swap what they hold in the
/// output.
/// @return the blocks that both then hold
BlockRange rejoin(Schedule& schedule, Rank me, Rank twin, BlockRange held);

/// Appends the merger of two ranks into one, before the first step where p is no power of two: both
/// reduce one half of the vector for the two, then the one that leaves hands its half to the one
/// that `stays`.
void hand_in(Schedule& schedule, Rank me, Rank partner, BlockRange vector, bool stays);

}  // namespace breakeven::kernels
