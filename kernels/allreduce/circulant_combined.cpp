// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// The combined circulant algorithm, for long vectors: reduce-scatter on the circulant graph, then
/// allgather on it.
///
/// Needs   any p; a commutative operation.
/// Cost    2 ceil(lg p) rounds; (2^q - 1)/p m sent and at most as much reduced with q = ceil(lg p),
///         then (p-1)/p m sent.
/// Source  [traff2023], section III-G, Propositions 2 and 3.
Schedule build(const Problem& op) {
  const Problem scatter = op.as(Collective::reduce_scatter_block);
  const Problem gather = op.as(Collective::allgather);
  return sequence(op, {scatter, reduce_scatter_block::circulant.build(scatter)},
                  {gather, allgather::circulant.build(gather)});
}

/// That of its parts.
Formula formula(const Problem& op) {
  const Formula scatter = reduce_scatter_block::circulant.formula(op);
  const Formula gather = allgather::circulant.formula(op);
  return {.messages = *scatter.messages + *gather.messages,
          .sent = *scatter.sent + *gather.sent,
          .reduced = scatter.reduced,
          .reduced_at_most = true};
}

}  // namespace

const Algorithm circulant_combined{
    .name = "circulant_combined",
    .requirement = kAnyProcs,
    .bitwise_identical = true,
    .build = build,
    .formula = formula,
    .formula_text = "<= 2q alpha + (2^q + p - 2)/p m beta + (2^q - 1)/p m gamma, q = ceil(lg p)",
    .source = "[traff2023] III-G, Propositions 2 and 3"};

}  // namespace breakeven::kernels::allreduce
