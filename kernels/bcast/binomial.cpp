// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bcast/algorithms.hpp"
#include "kernels/fold.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Binomial tree: a rank that has the vector sends it on, to the far half first.
///
///     v        0   1   2   3   4   5      v = distance from the root
///     round 0    --------------->
///     round 1    ------->        (4 -> 6)
///     round 2    ->      ->      ->
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds, ceil(lg p) m sent (by the root).
/// Source  [rabenseifner2004], section 2.3.
Schedule build(const Problem& op) { return bcast_along(knomial_tree::node_of(op, 2), op); }

Formula formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);
  return {.messages = steps, .sent = steps, .one_way_messages = steps, .one_way_sent = steps};
}

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .requirement = kAnyProcs,
                         .segments = true,
                         .build = build,
                         .formula = formula,
                         .formula_text = "ceil(lg p) (fa alpha + fb m beta)",
                         .source = "[rabenseifner2004] 2.3"};

}  // namespace breakeven::kernels::bcast
