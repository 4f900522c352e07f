// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Binomial tree: in round k every rank whose distance v from the root is an odd multiple of 2^k
/// sends its partial result to the rank at v - 2^k, and has done its part.
///
///     v        0   1   2   3   4   5
///     round 0    <-      <-      <-
///     round 1    <-------
///     round 2    <---------------
///
/// Needs   any p. In rank order only when the root is rank 0.
/// Cost    ceil(lg p) messages of m each, ceil(lg p) m reduced (by the root).
/// Source  [rabenseifner2004], section 2.3.
Schedule build(const Problem& op) { return reduce_along(knomial_tree::node_of(op, 2), op); }

Formula formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);
  return {.messages = steps,
          .sent = steps,
          .reduced = steps,
          .one_way_messages = steps,
          .one_way_sent = steps};
}

}  // namespace

const Algorithm binomial{.name = "binomial",
                         .requirement = kAnyProcs,
                         .segments = true,
                         .build = build,
                         .formula = formula,
                         .formula_text = "ceil(lg p) (fa alpha + fb m beta + m gamma)",
                         .source = "[rabenseifner2004] 2.3"};

}  // namespace breakeven::kernels::reduce
