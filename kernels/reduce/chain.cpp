// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::reduce {

namespace {

/// Chain: each rank reduces its own vector with what the next one sends, and passes the result on
/// towards the root; with several chains the root reduces what their first ranks send.
///
///     chains = 1   0 <- 1 <- 2 <- 3 <- 4
///     chains = 2   0 <- 1 <- 2      0 <- 3 <- 4
///
/// Needs   any p.
/// Cost    p-1 rounds of m, each reduced, for one chain; of s segments p-2+s rounds of m/s.
/// Source  [pjesivac2007], pipeline and chain.
Schedule build(const Problem& op) { return reduce_along(chains::node_of(op), op); }

}  // namespace

const Algorithm chain{.name = "chain",
                      .requirement = kAnyProcs,
                      .params = chains::kParams,
                      .params_requirement = {.met = chains::can_read},
                      .variants = chains::variants,
                      .segments = true,
                      .build = build,
                      .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::reduce
