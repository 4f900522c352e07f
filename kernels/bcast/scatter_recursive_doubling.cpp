// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"
#include "kernels/bcast/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Scatter, then allgather: a binomial tree gives each rank one block, then groups of 1, 2, 4, ...
/// ranks swap all that they have.
///
///     p = 4        0        1        2        3          root 0
///     scatter      A        B        C        D
///     distance 1   A B      A B      C D      C D
///     distance 2   A B C D  A B C D  A B C D  A B C D
///
/// Needs   p a power of two.
/// Cost    2 lg p rounds, 2(p-1)/p m sent (by the root).
/// Source  [thakur2005], after van de Geijn and others.
Schedule build(const Problem& op) {
  const Problem deal = op.as(Collective::scatter);
  const Problem collect = op.as(Collective::allgather);
  return sequence(op, {deal, scatter::binomial.build(deal)},
                  {collect, allgather::recursive_doubling.build(collect)});
}

Formula formula(const Problem& op) {
  return scatter::binomial.formula(op.as(Collective::scatter)) +
         allgather::recursive_doubling.formula(op.as(Collective::allgather));
}

}  // namespace

const Algorithm scatter_recursive_doubling{
    .name = "scatter_recursive_doubling",
    .requirement = kPowerOfTwo,
    .build = build,
    .formula = formula,
    .formula_text = "lg p (fa + 1) alpha + (p-1)/p (fb + 1) m beta",
    .source = "[thakur2005]"};

}  // namespace breakeven::kernels::bcast
