// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::kernels::scatter {

namespace {

/// Bine tree: the gather's backwards, farthest partners first; each process passes on the blocks of
/// its children's subtrees, consecutive ones around them.
///
///     p = 8            v = distance from the root
///     step 2, +-3      0 -> 3                                      blocks of v = 2 .. 5
///     step 1, -+1      0 -> 7     3 -> 4                           blocks of v = 6, 7 | 4, 5
///     step 0, +-1      0 -> 1     3 -> 2     4 -> 5     7 -> 6     one block
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, (p-1)/p m sent (by the root).
/// Source  [desensi2025].
Schedule build(const Problem& op) {
  return reversed(gather::bine.build(op.as(Collective::gather)));
}

Formula formula(const Problem& op) { return gather::bine.formula(op); }

}  // namespace

const Algorithm bine{.name = "bine",
                     .requirement = kAnyProcs,
                     .build = build,
                     .formula = formula,
                     .formula_text = "p = 2^k: lg p fa alpha + (p-1)/p fb m beta",
                     .source = "[desensi2025]"};

}  // namespace breakeven::kernels::scatter
