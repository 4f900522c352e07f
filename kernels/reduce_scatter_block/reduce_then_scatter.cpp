// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Reduce, then scatter: a binomial tree towards rank 0 with the whole vector, then the same tree
/// back, with each rank's subtree's blocks.
///
/// Needs   any p.
/// Cost    that of a reduce and a scatter.
/// Source  The definition of the collective: guideline (3) in [traff2023], section IV-C.
Schedule build(const Problem& op) {
  const Problem towards = op.as(Collective::reduce);
  const Problem back = op.as(Collective::scatter);
  return sequence(op, {towards, reduce::binomial.build(towards)},
                  {back, scatter::binomial.build(back)});
}

}  // namespace

const Algorithm reduce_then_scatter{.name = "reduce_then_scatter",
                                    .requirement = kAnyProcs,
                                    .order_preserving = true,
                                    .fixed_tree = true,
                                    .build = build,
                                    .source = "[traff2023] guideline (3)"};

}  // namespace breakeven::kernels::reduce_scatter_block
