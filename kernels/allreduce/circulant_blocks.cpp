// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/circulant_blocks.hpp"

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/bcast/algorithms.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Circulant graph, n blocks: the reduction of the blocks towards rank 0, then their broadcast.
///
/// Needs   any p.
/// Cost    2 (n-1 + ceil(lg p)) rounds of m/n, at most half as much reduced.
/// Source  [traff2024].
Schedule build(const Problem& op) {
  Problem towards = op.as(Collective::reduce);
  Problem back = op.as(Collective::bcast);
  towards.params = back.params = op.params;
  return sequence(op, {towards, reduce::circulant_blocks.build(towards)},
                  {back, bcast::circulant_blocks.build(back)});
}

Formula formula(const Problem& op) {
  const Formula towards = reduce::circulant_blocks.formula(op);
  Formula both = towards + bcast::circulant_blocks.formula(op);
  both.reduced = towards.reduced;
  both.reduced_at_most = towards.reduced_at_most;
  return both;
}

}  // namespace

const Algorithm circulant_blocks{
    .name = "circulant_blocks",
    .requirement = kAnyProcs,
    .params = circulant_blocks::kParams,
    .params_requirement = {.met = circulant_blocks::can_read},
    .variants = circulant_blocks::variants,
    .bitwise_identical = true,
    .build = build,
    .formula = formula,
    .formula_text = "(n-1 + ceil(lg p)) (2 alpha + m/n (2 beta + gamma))",
    .source = "[traff2024]"};

}  // namespace breakeven::kernels::allreduce
