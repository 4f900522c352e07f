// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant_blocks.hpp"

#include "kernels/allgather/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/reduce_scatter_block/backwards.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Circulant graph, n blocks: the reductions of all ranks' blocks at once, each cut into n. It is
/// the allgather backwards.
///
/// Needs   any p; a commutative operation.
/// Cost    n-1 + ceil(lg p) rounds, (p-1)/p m sent and reduced.
/// Source  [traff2024].
Schedule build(const Problem& op) { return backwards(allgather::circulant_blocks, op); }

Formula formula(const Problem& op) { return backwards_formula(allgather::circulant_blocks, op); }

}  // namespace

const Algorithm circulant_blocks{
    .name = "circulant_blocks",
    .requirement = kAnyProcs,
    .params = circulant_parts::kParams,
    .params_requirement = {.met = circulant_parts::can_read},
    .variants = circulant_parts::variants,
    .build = build,
    .formula = formula,
    .formula_text = "(n-1 + ceil(lg p)) alpha + (p-1)/p (m beta + m gamma)",
    .source = "[traff2024]"};

}  // namespace breakeven::kernels::reduce_scatter_block
