// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/rewrite/sequence.hpp"

namespace breakeven::allreduce {

namespace {

/// The combined circulant algorithm, for long vectors: reduce-scatter on the circulant graph, then
/// allgather on it.
///
/// Needs   any p; a commutative operation.
/// Cost    2 ceil(lg p) rounds; (2^q - 1)/p m sent and at most as much reduced with q = ceil(lg p),
///         then (p-1)/p m sent.
/// Source  Traeff, Hunold, Vardas, Funk, section III-G.
Schedule build(const Problem& op) {
  const Problem scatter = op.as(Collective::reduce_scatter_block);
  const Problem gather = op.as(Collective::allgather);
  return sequence(op, {scatter, reduce_scatter_block::circulant.build(scatter)},
                  {gather, allgather::circulant.build(gather)});
}

Cost cost(const Problem& op) {
  const Cost scatter = reduce_scatter_block::circulant.cost(op);
  const Cost gather = allgather::circulant.cost(op);
  return {.rounds = scatter.rounds + gather.rounds,
          .sent = scatter.sent + gather.sent,
          .reduced = scatter.reduced};
}

}  // namespace

const Algorithm circulant_combined{.name = "circulant_combined",
                                   .needs = kAnyProcs,
                                   .identical = true,
                                   .build = build,
                                   .cost = cost,
                                   .source = "Traeff et al., section III-G"};

}  // namespace breakeven::allreduce
