// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/reduce_scatter_block/butterfly.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

int distance(int step, int procs) { return procs >> (step + 1); }

/// The blocks of the ranks that the numbers of a half stand for, pairs for both.
std::vector<BlockRange> half(const Fold& fold, int number, int step) {
  const int count = distance(step, fold.stay());
  const int first = number & ~(count - 1);
  const int begin = fold.rank(first).value;
  return {{begin, fold.rank(first + count).value - begin}};
}

/// Recursive halving: groups of p', p'/2, ... ranks are cut in two, each rank swaps with its twin
/// in the other half the blocks of the two halves' ranks, and reduces those of its own.
///
///     p = 4        0        1        2        3
///     distance 2   A B      A B      C D      C D        of ranks 0 2 | 1 3 | 0 2 | 1 3
///     distance 1   A        B        C        D          of all
///
/// Distances are halved, not doubled, so that the blocks end in rank order.
///
/// Needs   any p; a commutative operation. p' = 2^floor(lg p) processes do this, see Fold, one of a
///         pair for both.
/// Cost    lg p' rounds, (p-1)/p m sent and reduced; for other p three rounds, ceil(p/2)/p m sent
///         and floor(p/2)/p m reduced more, and up to p'/2 - 1 blocks, as pairs keep two each.
/// Source  [rabenseifner2004], section 2.2 and footnote 1; the first step for other p is that of
///         section 2.5. [traff2023], Table I (butterfly).
Schedule build(const Problem& op) {
  return butterfly(
      op, [](int me, int step, int procs) { return me ^ distance(step, procs); }, half);
}

}  // namespace

const Algorithm recursive_halving{
    .name = "recursive_halving",
    .requirement = kAnyProcs,
    .build = build,
    .formula = butterfly_formula,
    .formula_text = kButterflyFormula,
    .source = "[rabenseifner2004] 2.2; [traff2023] Table I, butterfly"};

}  // namespace breakeven::kernels::reduce_scatter_block
