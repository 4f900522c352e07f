// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/pat.hpp"

#include "kernels/allgather/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/reduce_scatter_block/backwards.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Parallel aggregated trees (PAT): the allgather backwards. Partial results go up the binomial
/// trees of all blocks at once, the shortest distance first.
///
///     p = 8, limit 2     distance    blocks of the ranks at these distances behind the receiver
///     rounds 0, 1        1           0 4 | 2 6
///     round 2            2           0 4
///     round 3            4           0
///
/// At most `limit` partial results for each bit of p are under way at a time. As blocks may differ
/// in size, each has a slot of its own here, so that scratch has 3/4 m.
///
/// Needs   any p; a commutative operation.
/// Cost    ceil(lg p) rounds without a limit, p-1 of one block with limit 1; (p-1)/p m sent and
///         reduced.
/// Source  [jeaugey2025].
Schedule build(const Problem& op) { return backwards(allgather::pat, op); }

Formula formula(const Problem& op) { return backwards_formula(allgather::pat, op); }

}  // namespace

const Algorithm pat{
    .name = "pat",
    .requirement = kAnyProcs,
    .params = parallel_trees::kParams,
    .params_requirement = {.met = parallel_trees::can_read},
    .variants = parallel_trees::variants,
    .build = build,
    .formula = formula,
    .formula_text =
        "ceil(lg p) alpha + (p-1)/p (m beta + m gamma); p and limit l powers of two: "
        "(lg l + p/l - 1) alpha + (p-1)/p (m beta + m gamma)",
    .source = "[jeaugey2025]"};

}  // namespace breakeven::kernels::reduce_scatter_block
