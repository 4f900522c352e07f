// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// K-nomial tree: in each round a rank reduces what r-1 others send, the nearest ones first. Radix
/// 2 is the binomial tree.
///
///     r = 3, p = 9     round 0   0 <- 1, 2     3 <- 4, 5     6 <- 7, 8
///                      round 1   0 <- 3, 6      v = distance from the root
///
/// Needs   any p.
/// Cost    ceil(log_r p) rounds of at most r-1 messages of m at once.
/// Source  [wilkins2023]; MPICH's and Open MPI's k-nomial trees.
Schedule build(const Problem& op) { return reduce_along(knomial_tree::node_of(op), op); }

}  // namespace

const Algorithm knomial{.name = "knomial",
                        .requirement = kAnyProcs,
                        .params = knomial_tree::kParams,
                        .params_requirement = {.met = knomial_tree::can_read},
                        .variants = knomial_tree::variants,
                        .segments = true,
                        .build = build,
                        .formula = knomial_tree::formula,
                        .formula_text = "ceil(log_r p) rounds of r-1 messages",
                        .source = "[wilkins2023]"};

}  // namespace breakeven::kernels::reduce
