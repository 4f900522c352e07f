// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/rewrite/sequence.hpp"

namespace breakeven::reduce {

namespace {

/// Pairwise and direct: a pairwise reduce-scatter leaves each rank with one block of the result,
/// and every rank sends its block straight to the root.
///
/// Needs   any p; a commutative operation.
/// Cost    p rounds, the last one p-1 messages to the root; m sent, (p-1)/p m reduced.
/// Source  Rabenseifner, ICCS 2004, section 2.7.
Schedule build(const Problem& op) {
  const Problem deal = op.as(Collective::reduce_scatter_block);
  const Problem collect = op.as(Collective::gather);
  return sequence(op, {deal, reduce_scatter_block::pairwise.build(deal)},
                  {collect, gather::linear.build(collect)});
}

Cost cost(const Problem& op) {
  if (op.procs == 1) return {};
  return {.rounds = op.procs, .sent = 1, .reduced = (op.procs - 1.0) / op.procs};
}

}  // namespace

const Algorithm pairwise_direct{.name = "pairwise_direct",
                                .needs = kAnyProcs,
                                .build = build,
                                .cost = cost,
                                .source = "Rabenseifner 2004, section 2.7"};

}  // namespace breakeven::reduce
