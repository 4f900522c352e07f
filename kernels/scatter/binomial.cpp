// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::kernels::scatter {

namespace {

/// Binomial tree: a rank that holds the blocks of a subtree passes on those of its far half first.
///
///     v        0   1   2   3   4   5      v = distance from the root
///     round 0    --------------->         blocks of v = 4, 5
///     round 1    ------->        (4 -> 6) blocks of v = 2, 3
///     round 2    ->      ->      ->       one block
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, (p-1)/p m sent (by the root).
/// Source  The reverse of the gather in [rabenseifner2004], section 2.5 (reduce).
Schedule build(const Problem& op) {
  return reversed(gather::binomial.build(op.as(Collective::gather)));
}

Formula formula(const Problem& op) { return gather::binomial.formula(op); }

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .requirement = kAnyProcs,
                         .build = build,
                         .formula = formula,
                         .formula_text = "p = 2^k: lg p fa alpha + (p-1)/p fb m beta",
                         .source = "[rabenseifner2004] 2.5, reversed"};

}  // namespace breakeven::kernels::scatter
