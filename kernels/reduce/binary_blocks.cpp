// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/binary_blocks.hpp"

#include <algorithm>
#include <utility>

#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce/gather_halves.hpp"
#include "kernels/rewrite/aside.hpp"

namespace breakeven::reduce {

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
/// Cost    2 lg p' rounds, p' = 2^floor(lg p), and (3/2 - 1/p') m sent, (1 - 1/p') m reduced; for
///         other p a round more, m reduced. A root in a smaller block of s processes takes
///         lg p' + lg s + 2 rounds, one more if there is a still smaller one, if that is longer.
/// Source  Rabenseifner, ICCS 2004, section 2.6 and Fig. 2; Rabenseifner and Adamidis, section 3.6.
Schedule build(const Problem& op) {
  const BinaryBlock largest = BinaryBlock::largest(op.procs);
  Schedule schedule{.blocks = largest.size, .scratch = {{0, largest.size}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  BlockRange held = reduce_scatter_in_binary_blocks(schedule, op);

  const bool outside = op.root >= largest.rank(largest.size);
  const Rank zero = outside ? op.root : Rank{0};  // who gathers as number 0
  if (op.me == zero && outside) {
    held = {0, 1};  // what halving leaves with number 0
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

Cost cost(const Problem& op) {
  if (op.procs == 1) return {};
  const BinaryBlock largest = BinaryBlock::largest(op.procs);
  const int steps = ceil_log2(largest.size);
  const bool cut = largest.size < op.procs;
  const double part = 1.0 / largest.size;
  Cost cost{.rounds = 2 * steps + (cut ? 1 : 0), .sent = 1.5 - part, .reduced = cut ? 1 : 1 - part};
  const BinaryBlock roots = BinaryBlock::of(op.root, op.procs);
  if (roots.first > 0) {
    const bool smaller = roots.smaller(op.procs).size > 0;
    cost.rounds = std::max(cost.rounds, ceil_log2(roots.size) + (smaller ? 1 : 0) + 2 + steps);
  }
  return cost;
}

}  // namespace

const Algorithm binary_blocks{.name = "binary_blocks",
                              .needs = kAnyProcs,
                              .ordered = true,
                              .build = build,
                              .cost = cost,
                              .source = "Rabenseifner 2004, section 2.6"};

}  // namespace breakeven::reduce
