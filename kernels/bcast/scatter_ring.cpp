// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"
#include "kernels/bcast/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Scatter, then allgather: a binomial tree gives each rank one block, a ring carries all blocks
/// around. Every rank gathers straight into its output, the root too, so nothing but the root's own
/// block is copied.
///
///     p = 3        0        1        2          root 0
///     scatter      A        B        C          B and C from the root
///     ring         C A      A B      B C
///                  B C A    C A B    A B C      in each rank's output as A B C
///
/// Needs   any p.
/// Cost    ceil(lg p) + p-1 rounds, 2(p-1)/p m sent (by the root).
/// Source  [thakur2005], after van de Geijn and others.
Schedule build(const Problem& op) {
  const Problem deal = op.as(Collective::scatter);
  const Problem collect = op.as(Collective::allgather);
  return sequence(op, {deal, scatter::binomial.build(deal)},
                  {collect, allgather::ring.build(collect)});
}

Formula formula(const Problem& op) {
  return scatter::binomial.formula(op.as(Collective::scatter)) +
         allgather::ring.formula(op.as(Collective::allgather));
}

}  // namespace

const Algorithm scatter_ring{
    .name = "scatter_ring",
    .requirement = kAnyProcs,
    .build = build,
    .formula = formula,
    .formula_text = "p = 2^k: (lg p fa + p-1) alpha + (p-1)/p (fb + 1) m beta",
    .source = "[thakur2005]"};

}  // namespace breakeven::kernels::bcast
