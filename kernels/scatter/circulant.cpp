// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::kernels::scatter {

namespace {

/// Circulant graph: the gather's rounds backwards, so that the root sends half of the blocks first.
///
///     p = 9     v  0   1   2   3   4   5   6   7   8     v = distance from the root
///     round 0      ------------->                        blocks v+1 .. v+4 of the receiver
///     round 1      ----->          ----->                blocks v+1, v+2
///     round 2      ->      ->      ->      ->            block v+1
///     round 3      ->  ->  ->  ->  ->  ->  ->  ->        its own block
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, (p-1)/p m sent (by the root).
/// Source  [traff2023], section III-F.
Schedule build(const Problem& op) {
  return reversed(gather::circulant.build(op.as(Collective::gather)));
}

Formula formula(const Problem& op) { return gather::circulant.formula(op); }

}  // namespace

const Algorithm circulant{.name = "circulant",
                          .requirement = kAnyProcs,
                          .build = build,
                          .formula = formula,
                          .formula_text = "ceil(lg p) alpha + (p-1)/p m beta",
                          .source = "[traff2023] III-F"};

}  // namespace breakeven::kernels::scatter
