// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bine.hpp"

#include "kernels/bcast/algorithms.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Bine tree: as the binomial tree, but the directions alternate, so that messages travel a third
/// less far between ranks.
///
///     p = 8            v = distance from the root
///     step 2, +-3      0 -> 3
///     step 1, -+1      0 -> 7     3 -> 4
///     step 0, +-1      0 -> 1     3 -> 2     4 -> 5     7 -> 6
///
/// For other p the ranks from the greatest 2^k on get the vector in a last round.
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds of m.
/// Source  [desensi2025].
Schedule build(const Problem& op) { return bcast_along(bine_node_of(op), op); }

Formula formula(const Problem& op) {
  const double steps = ceil_log2(op.procs);
  return {.messages = steps, .sent = steps};
}

}  // namespace

const Algorithm bine{.name = "bine",
                     .requirement = kAnyProcs,
                     .segments = true,
                     .build = build,
                     .formula = formula,
                     .formula_text = "ceil(lg p) (alpha + m beta)",
                     .source = "[desensi2025]"};

}  // namespace breakeven::kernels::bcast
