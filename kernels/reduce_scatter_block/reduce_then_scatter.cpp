// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/binomial_tree.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/rewrite/sequence.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::reduce_scatter_block {

namespace {

/// Reduce, then scatter: a binomial tree towards rank 0 with the whole vector, then the same tree
/// back, with each rank's subtree's blocks.
///
/// Needs   any p.
/// Cost    2 ceil(lg p) rounds, ceil(lg p) m reduced (by rank 0); m sent and, by the rank with the
///         largest subtree (s ranks), (s-1)/p m more.
/// Source  The definition of the collective: guideline (3) in Traeff, Hunold, Vardas, Funk.
Schedule build(const Problem& op) {
  const Problem towards = op.as(Collective::reduce);
  const Problem back = op.as(Collective::scatter);
  return sequence(op, {towards, reduce::binomial.build(towards)},
                  {back, scatter::binomial.build(back)});
}

Cost cost(const Problem& op) {
  if (op.procs == 1) return {};
  const double subtree = BinomialTree{op.procs}.largest_size();
  const int steps = ceil_log2(op.procs);
  return {.rounds = 2 * steps, .sent = 1 + (subtree - 1) / op.procs, .reduced = 1.0 * steps};
}

}  // namespace

const Algorithm reduce_then_scatter{.name = "reduce_then_scatter",
                                    .needs = kAnyProcs,
                                    .ordered = true,
                                    .build = build,
                                    .cost = cost,
                                    .source = "Traeff et al., guideline (3)"};

}  // namespace breakeven::reduce_scatter_block
