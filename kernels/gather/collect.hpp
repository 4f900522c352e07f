// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/ring_range.hpp"
#include "kernels/schedule.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels::gather {

/// Appends the receipt of a range: at the root into the output, else into scratch from `slot` on,
/// where blocks lie in ring order.
void collect(Round& round, const Problem& op, Rank source, const RingRange& range, int slot);

/// The gather along a k-nomial tree: each rank collects the blocks of its children's subtrees, the
/// nearest ones first, then passes on those of its own.
[[nodiscard]] Schedule collect_along(const TreeNode& node, const Problem& op);

}  // namespace breakeven::kernels::gather
