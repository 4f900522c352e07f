// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bine.hpp"

#include "kernels/fold.hpp"
#include "kernels/reduce/algorithms.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Bine tree: the broadcast's tree towards the root, the near ranks first.
///
///     p = 8            v = distance from the root
///     step 0, +-1      0 <- 1     3 <- 2     4 <- 5     7 <- 6
///     step 1, -+1      0 <- 7     3 <- 4
///     step 2, +-3      0 <- 3
///
/// For other p the ranks from the greatest 2^k on hand in their vectors first.
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds of m, each reduced.
/// Source  [desensi2025].
Schedule build(const Problem& op) { return reduce_along(bine_node_of(op), op); }

Formula formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);
  return {.messages = steps, .sent = steps, .reduced = steps};
}

}  // namespace

const Algorithm bine{.name = "bine",
                     .requirement = kAnyProcs,
                     .segments = true,
                     .build = build,
                     .formula = formula,
                     .formula_text = "ceil(lg p) (alpha + m beta + m gamma)",
                     .source = "[desensi2025]"};

}  // namespace breakeven::kernels::reduce
