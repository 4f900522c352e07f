// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/binary_blocks.hpp"

#include "kernels/halving.hpp"

namespace breakeven::kernels {

namespace {

/// Sends `held` to the processes of the larger block that hold parts of it after their halvings,
/// to each its part.
void pass_up(Schedule& schedule, const BinaryBlock& own, int me, BlockRange held, Buffer partial) {
  const BinaryBlock larger = own.larger();
  Round& up = schedule.rounds.emplace_back();
  for (int number = me; number < larger.size; number += own.size) {
    BlockRange share = held;
    for (int digit = own.size; digit < larger.size; digit *= 2) {
      share = half(share, (number & digit) != 0);
    }
    up.comm.emplace_back(Send{larger.rank(number), {partial, share.first}, share.count});
  }
}

}  // namespace

BlockRange reduce_scatter_in_binary_blocks(Schedule& schedule, const Problem& op) {
  const BinaryBlock own = BinaryBlock::of(op.me, op.procs);
  const BinaryBlock smaller = own.smaller(op.procs);
  const int me = op.me.value - own.first;
  BlockRange held{0, schedule.blocks};
  Buffer partial = Buffer::input;
  for (int distance = 1; distance < own.size; distance *= 2) {
    held = halve(schedule, op.me, own.rank(me ^ distance), held, partial);
    partial = Buffer::output;
  }
  if (smaller.size > 0) {
    const Location other = scratch(held.first);
    schedule.round({Recv{smaller.rank(me % smaller.size), other, held.count}},
                   {Reduce{{partial, held.first}, other, output(held.first), held.count}});
  }
  if (own.first > 0) pass_up(schedule, own, me, held, partial);
  return held;
}

}  // namespace breakeven::kernels
