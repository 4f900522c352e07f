// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernels/fold.hpp"
#include "kernels/tree.hpp"

namespace breakeven::kernels {

/// The process that v of 2^k ones meets in step s of the Bine butterfly, and that meets v in it: an
/// even v meets v + rho(s), an odd one v - rho(s), modulo 2^k, where rho(s) = (1 - (-2)^(s+1)) / 3:
/// 1, -1, 3, -5, 11, ...
/// @see [desensi2025]
[[nodiscard]] int bine_partner(int v, int step, int procs);

/// Bine tree of 2^k processes: in step s = k-1, ..., 0 each that has the vector sends it to its
/// partner. For other p the processes from 2^k on are children of those 2^k before them, in the
/// last round.
[[nodiscard]] TreeNode bine_node_of(const Problem& problem);

/// The ranks, in ascending order, to which v passes the vector in its last `steps` steps, and those
/// behind them, and v: 2^steps processes that follow each other, with their children from 2^k on.
[[nodiscard]] std::vector<BlockRange> bine_subtree(const Problem& problem, int v, int steps);

/// One block for each rank: those that v has once it has met its partners of the steps k-1, ...,
/// `step`, farthest first, and all sent what they had. In ascending order; v stands for two ranks
/// where another one has left.
[[nodiscard]] std::vector<BlockRange> bine_blocks(const Fold& fold, int v, int step);

/// The ranks, in ascending order, of which v has something once it has met its partners of the
/// steps below `step`, nearest first, and all sent what they had; two where another one has left.
[[nodiscard]] std::vector<int> bine_sources(const Fold& fold, int v, int step);

}  // namespace breakeven::kernels
