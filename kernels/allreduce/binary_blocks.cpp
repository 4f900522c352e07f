// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/binary_blocks.hpp"

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/halving.hpp"

namespace breakeven::kernels::allreduce {

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
/// Cost    for a power of two 2 lg p messages, (2 - 2/p) m sent, (1 - 1/p) m reduced; for other p
///         the more, the more the sizes of two successive blocks differ.
/// Source  [rabenseifner2004], section 2.6 and Fig. 2; [adamidis2004], section 3.6.
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

/// The source states one where p is a power of two, which makes it halving and doubling.
Formula formula(const Problem& op) {
  return kPowerOfTwo.met(op.procs) ? halving_doubling.formula(op) : Formula{};
}

}  // namespace

const Algorithm binary_blocks{
    .name = "binary_blocks",
    .requirement = kAnyProcs,
    .order_preserving = true,
    .bitwise_identical = true,
    .fixed_tree = true,
    .build = build,
    .formula = formula,
    .formula_text = "p = 2^k: 2 lg p alpha + (2 - 2/p) m beta + (1 - 1/p) m gamma",
    .source = "[rabenseifner2004] 2.6; [adamidis2004] 3.6"};

}  // namespace breakeven::kernels::allreduce
