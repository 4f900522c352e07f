// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bcast/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// K-nomial tree: in each round every rank that has the vector sends it to r-1 others. Radix 2 is
/// the binomial tree.
///
///     r = 3, p = 9     round 0   0 -> 3, 6      v = distance from the root
///                      round 1   0 -> 1, 2     3 -> 4, 5     6 -> 7, 8
///
/// Needs   any p.
/// Cost    ceil(log_r p) rounds of at most r-1 messages of m at once.
/// Source  [wilkins2023]; MPICH's and Open MPI's k-nomial trees.
Schedule build(const Problem& op) { return bcast_along(knomial_tree::node_of(op), op); }

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

}  // namespace breakeven::kernels::bcast
