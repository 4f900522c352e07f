// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::kernels::scatter {

namespace {

/// Linear: the root sends every rank its block, all at once.
///
/// Needs   any p.
/// Cost    1 round of p-1 messages, (p-1)/p m sent (by the root).
/// Source  The reverse of the last step of the reduce in [rabenseifner2004], section 2.7.
Schedule build(const Problem& op) {
  return reversed(gather::linear.build(op.as(Collective::gather)));
}

Formula formula(const Problem& op) { return gather::linear.formula(op); }

}  // namespace

const Algorithm linear{.name = "linear",
                       .requirement = kAnyProcs,
                       .build = build,
                       .formula = formula,
                       .formula_text = "(p-1) (fa alpha + fb m/p beta)",
                       .source = "[rabenseifner2004] 2.7, reversed"};

}  // namespace breakeven::kernels::scatter
