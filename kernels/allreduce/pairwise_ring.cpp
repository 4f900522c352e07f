// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Pairwise exchange, then ring: every rank reduces its own block of the vector from the inputs of
/// all others, then the finished blocks are carried around.
///
///     reduce     block of me+i, straight from the input  -> me+i     i = 1 .. p-1
///     gather     the block that came last                -> me+1     p-1 times
///
/// Needs   any p.
/// Cost    2(p-1) rounds, 2(p-1)/p m sent, (p-1)/p m reduced.
/// Source  [rabenseifner2004], section 2.7.
Schedule build(const Problem& op) {
  const Problem scatter = op.as(Collective::reduce_scatter_block);
  const Problem gather = op.as(Collective::allgather);
  return sequence(op, {scatter, reduce_scatter_block::pairwise.build(scatter)},
                  {gather, allgather::ring.build(gather)});
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = 2 * (p - 1), .sent = 2 * (p - 1) / p, .reduced = (p - 1) / p};
}

}  // namespace

const Algorithm pairwise_ring{.name = "pairwise_ring",
                              .requirement = kAnyProcs,
                              .bitwise_identical = true,
                              .build = build,
                              .formula = formula,
                              .formula_text = "2 (p-1) (alpha + m/p beta) + (p-1)/p m gamma",
                              .source = "[rabenseifner2004] 2.7"};

}  // namespace breakeven::kernels::allreduce
