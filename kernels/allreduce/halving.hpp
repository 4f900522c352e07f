// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::allreduce {

/// Half of a range of blocks: the upper, or the lower one.
[[nodiscard]] BlockRange half(BlockRange range, bool upper);

/// Appends a step of vector halving: `me` and `twin` hold the blocks `held`, swap halves, and
/// reduce one half each into the output, the higher rank the upper one.
///
/// What arrives passes through scratch, slot i for block i.
/// @param partial  the buffer in which `me` has the blocks
/// @return the blocks that `me` goes on with, in the output
BlockRange halve(Schedule& schedule, Rank me, Rank twin, BlockRange held, Buffer partial);

/// Appends the reverse of that step, without the reduction: the two swap what they hold in the
/// output.
/// @return the blocks that both then hold
BlockRange rejoin(Schedule& schedule, Rank me, Rank twin, BlockRange held);

}  // namespace breakeven::allreduce
