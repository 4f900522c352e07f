// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernels/algorithm.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::reduce_scatter_block {

/// Swaps of partial results between twins, one in each of lg p' steps, p' = 2^floor(lg p): both
/// reduce the blocks that they keep. For other p a rank that stays does this for itself and its
/// partner, see Fold: the two swap halves of the vector before, and the other gets its block after.
/// @param twin   the number that the rank with this number meets in a step; they meet each other
/// @param kept   the blocks that the rank with this number has after a step, in ascending order
[[nodiscard]] Schedule butterfly(const Problem& op, int (*twin)(int number, int step, int procs),
                                 std::vector<BlockRange> (*kept)(const Fold& fold, int number,
                                                                 int step));

/// As Table I of [traff2023] has it of recursive halving: for p that is no power of two a bound.
[[nodiscard]] Formula butterfly_formula(const Problem& op);
inline constexpr std::string_view kButterflyFormula =
    "p = 2^k: lg p alpha + (p-1)/p (m beta + m gamma); else <= (ceil(lg p) + 2) alpha "
    "+ (c + 1/p) m beta + c m gamma, c = 1/2 + (2^ceil(lg p) - 1) 2/p";

}  // namespace breakeven::kernels::reduce_scatter_block
