// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bcast/algorithms.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::bcast {

namespace {

/// Binary tree: each rank sends the vector to two others.
///
///     0 -> 1, 2    1 -> 3, 4    2 -> 5, 6      v = distance from the root
///
/// Needs   any p.
/// Cost    floor(lg p) rounds of two messages of m; of s segments as many and s-1 more, of m/s.
/// Source  [pjesivac2007], binary tree.
Schedule build(const Problem& op) { return bcast_along(binary_node_of(op), op); }

}  // namespace

const Algorithm binary{.name = "binary",
                       .requirement = kAnyProcs,
                       .segments = true,
                       .build = build,
                       .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::bcast
