// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bcast/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Chain: the ranks after the root pass the vector on, each to the next one; with several chains
/// the root sends to the first rank of each.
///
///     chains = 1   0 -> 1 -> 2 -> 3 -> 4
///     chains = 2   0 -> 1 -> 2      0 -> 3 -> 4
///
/// Needs   any p.
/// Cost    p-1 rounds of m for one chain; of s segments p-2+s rounds of m/s.
/// Source  [pjesivac2007], pipeline and chain.
Schedule build(const Problem& op) { return bcast_along(chains::node_of(op), op); }

}  // namespace

const Algorithm chain{.name = "chain",
                      .requirement = kAnyProcs,
                      .params = chains::kParams,
                      .params_requirement = {.met = chains::can_read},
                      .variants = chains::variants,
                      .segments = true,
                      .build = build,
                      .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::bcast
