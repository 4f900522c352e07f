// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/binary_blocks.hpp"

#include <algorithm>

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/fold.hpp"
#include "kernels/halving.hpp"

namespace breakeven::allreduce {

namespace {

/// Binary blocks: the binary digits of p cut the ranks into blocks of 2^k. Each block does a
/// reduce-scatter by halving; from the smallest block on, what a process then has is passed to
/// those of the next larger block that reduce the same parts further. In the largest block's
/// allgather by doubling, then in each other's, pairs of processes pass their halves of what they
/// swap on to the next smaller block.
///
///     p = 7        0   1   2   3  |  4    5   |  6       the vector is A to D
///     halving      A   C   B   D  |  A-B  C-D |  A-D
///     up           <- 4  <- 5 ... |  <------  |          6: A-B to 4, C-D to 5
///                                                        4: A to 0, B to 2   5: C to 1, D to 3
///     back: 0 <-> 2, and both send to 4; 1 <-> 3, and both send to 5; 4 <-> 5, and both send to 6
///
/// Needs   any p; a power of two makes it halving_doubling.
/// Cost    2 lg p' rounds, p' = 2^floor(lg p), and (2 - 2/p') m sent, (1 - 1/p') m reduced; for
///         other p a round more, m reduced, and sent at most, over the blocks of s processes that
///         have a smaller one of t, (2 - 1/s + 1/(2t)) m, with 2 - 2/s in the largest.
/// Source  Rabenseifner, ICCS 2004, section 2.6 and Fig. 2; Rabenseifner and Adamidis, section 3.6.
Schedule build(const Problem& op) {
  const int blocks = BinaryBlock::largest(op.procs).size;
  Schedule schedule{.blocks = blocks, .scratch = {{0, blocks}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});

  BlockRange held = reduce_scatter_in_binary_blocks(schedule, op);
  const BinaryBlock own = BinaryBlock::of(op.me, op.procs);
  const BinaryBlock smaller = own.smaller(op.procs);
  const int me = op.me.value - own.first;
  if (own.first > 0) {  // two of those that it was passed to send the halves back, finished
    const BinaryBlock larger = own.larger();
    const BlockRange upper = half(held, true);
    schedule.round({Recv{larger.rank(me), output(held.first), upper.count},
                    Recv{larger.rank(me + own.size), output(upper.first), upper.count}});
  }
  for (int distance = own.size / 2; distance >= 1; distance /= 2) {
    const Send result{smaller.rank(me % distance), output(held.first), held.count};
    held = rejoin(schedule, op.me, own.rank(me ^ distance), held);
    if (distance == smaller.size && me < 2 * distance) {
      schedule.rounds.back().comm.emplace_back(result);
    }
  }
  return schedule;
}

Cost cost(const Problem& op) {
  BinaryBlock block = BinaryBlock::largest(op.procs);
  Cost cost{.rounds = 2 * ceil_log2(block.size) + (block.size < op.procs ? 1 : 0)};
  for (; block.size > 0; block = block.smaller(op.procs)) {
    const double scattered = 1 - 1.0 / block.size;
    const int smaller = block.smaller(op.procs).size;
    const double up = block.first > 0 ? 1.0 / block.size : 0;
    const double down = smaller > 0 ? 0.5 / smaller : 0;
    cost.sent = std::max(cost.sent, 2 * scattered + up + down);
    cost.reduced = std::max(cost.reduced, smaller > 0 ? 1.0 : scattered);
  }
  return cost;
}

}  // namespace

const Algorithm binary_blocks{.name = "binary_blocks",
                              .needs = kAnyProcs,
                              .ordered = true,
                              .identical = true,
                              .build = build,
                              .cost = cost,
                              .source = "Rabenseifner 2004, section 2.6"};

}  // namespace breakeven::allreduce
