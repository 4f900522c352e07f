// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"
#include "kernels/rewrite/rewrite.hpp"
#include "kernels/scatter/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::scatter {

namespace {

/// K-nomial tree: in each round every rank that holds the blocks of a subtree passes on those of
/// r-1 parts of it, the far ones first. Radix 2 is the binomial tree.
///
///     r = 3, p = 9     round 0   0 -> 3, 6      v = distance from the root; three blocks
///                      round 1   0 -> 1, 2     3 -> 4, 5     6 -> 7, 8      one block
///
/// Needs   any p.
/// Cost    ceil(log_r p) rounds of at most r-1 messages at once, (p-1)/p m sent (by the root).
/// Source  [wilkins2023].
Schedule build(const Problem& op) {
  Problem gather = op.as(Collective::gather);
  gather.params = op.params;
  return reversed(gather::knomial.build(gather));
}

}  // namespace

const Algorithm knomial{.name = "knomial",
                        .requirement = kAnyProcs,
                        .params = knomial_tree::kParams,
                        .params_requirement = {.met = knomial_tree::can_read},
                        .variants = knomial_tree::variants,
                        .build = build,
                        .formula = knomial_tree::formula,
                        .formula_text = "ceil(log_r p) rounds of r-1 messages",
                        .source = "[wilkins2023]"};

}  // namespace breakeven::kernels::scatter
