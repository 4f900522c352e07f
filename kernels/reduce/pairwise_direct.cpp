// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Pairwise and direct: a pairwise reduce-scatter leaves each rank with one block of the result,
/// and every rank sends its block straight to the root.
///
/// Needs   any p; a commutative operation.
/// Cost    p rounds, the last one p-1 messages to the root: 2(p-1) messages and 2(p-1)/p m in turn;
///         (p-1)/p m reduced.
/// Source  [rabenseifner2004], section 2.7.
Schedule build(const Problem& op) {
  const Problem deal = op.as(Collective::reduce_scatter_block);
  const Problem collect = op.as(Collective::gather);
  return sequence(op, {deal, reduce_scatter_block::pairwise.build(deal)},
                  {collect, gather::linear.build(collect)});
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = 2 * (p - 1),
          .sent = 2 * (p - 1) / p,
          .reduced = (p - 1) / p,
          .one_way_messages = p - 1,
          .one_way_sent = (p - 1) / p};
}

}  // namespace

const Algorithm pairwise_direct{
    .name = "pairwise_direct",
    .requirement = kAnyProcs,
    .build = build,
    .formula = formula,
    .formula_text = "(p-1) ((1 + fa) alpha + (1 + fb) m/p beta + m/p gamma)",
    .source = "[rabenseifner2004] 2.7"};

}  // namespace breakeven::kernels::reduce
