// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/ring_range.hpp"
#include "kernels/schedule.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::gather {

/// The messages of gathers along a tree, in which a rank collects the blocks of the ranks that
/// follow it. On the way these lie in ring order and are one message; in the root's output they
/// lie in rank order, so there a range that passes rank p-1 arrives as two.

/// Appends the receipt of a range: at the root into the output, else into scratch from `slot` on.
void collect(Round& round, const Problem& op, Rank source, const RingRange& range, int slot);

/// Appends the sending of a range that lies in ring order at `from`.
void pass_on(Round& round, const Problem& op, Rank to, const RingRange& range, Location from);

/// The gather along a k-nomial tree: each rank collects the blocks of its children's subtrees, the
/// nearest ones first, then passes on those of its own.
[[nodiscard]] Schedule collect_along(const TreeNode& node, const Problem& op);

}  // namespace breakeven::kernels::gather
