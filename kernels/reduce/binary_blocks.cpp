// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/binary_blocks.hpp"

#include <utility>

#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce/gather_halves.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Binary blocks: the binary digits of p cut the ranks into blocks of 2^k. Each block does a
/// reduce-scatter by halving; from the smallest block on, what a process then has is passed to
/// those of the next larger block that reduce the same parts further. From the largest block a
/// binary tree gathers the parts; a root outside it gets rank 0's part and plays its role.
///
///     p = 7        0   1   2   3  |  4    5   |  6       the vector is A to D
///     halving      A   C   B   D  |  A-B  C-D |  A-D
///     up           <- 4  <- 5 ... |  <------  |          6: A-B to 4, C-D to 5
///                                                        4: A to 0, B to 2   5: C to 1, D to 3
///     root 0       2 -> 0, 3 -> 1, then 1 -> 0
///     root 5       0 -> 5; 2 -> 5, 3 -> 1, then 1 -> 5
///
/// Needs   any p; a power of two makes it halving_doubling.
/// Cost    for a power of two 2 lg p messages, (2 - 2/p) m sent, (1 - 1/p) m reduced; for other p
///         the more, the more the sizes of two successive blocks differ.
/// Source  [rabenseifner2004], section 2.6 and Fig. 2; [adamidis2004], section 3.6.
Schedule build(const Problem& op) {
  const BinaryBlock largest = BinaryBlock::largest(op.procs);
  Schedule schedule{.blocks = largest.size, .scratch = {{0, largest.size}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  BlockRange held = reduce_scatter_in_binary_blocks(schedule, op);

  const bool outside = op.root >= largest.rank(largest.size);
  const Rank zero = outside ? op.root : Rank{0};  // gathers as number 0
  if (op.me == zero && outside) {
    held = {0, 1};  // the blocks that halving leaves with number 0
    schedule.round({Recv{Rank{0}, output(held.first), held.count}});
  } else if (op.me == Rank{0} && outside) {
    schedule.round({Send{zero, output(held.first), held.count}});
  }
  const bool in_largest = op.me > Rank{0} && op.me < largest.rank(largest.size);
  if (op.me == zero || in_largest) {
    gather_halves(schedule, op.me == zero ? 0 : op.me.value, outside ? 0 : op.root.value, held,
                  [zero](int number) { return number == 0 ? zero : Rank{number}; });
  }
  if (!op.at_root()) return without_output(std::move(schedule));
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
    .fixed_tree = true,
    .build = build,
    .formula = formula,
    .formula_text = "p = 2^k: lg p (1 + fa) alpha + (1 - 1/p) ((1 + fb) m beta + m gamma)",
    .source = "[rabenseifner2004] 2.6; [adamidis2004] 3.6"};

}  // namespace breakeven::kernels::reduce
