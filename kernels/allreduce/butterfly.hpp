// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::allreduce {

/// Swaps of partial results between twins, one in each of lg p' steps, p' = 2^floor(lg p): both
/// reduce the same two operands, the one of the lower rank first. For other p the odd ranks of the
/// first pairs hand in their vector before and get the result after.
/// @param twin  whom the rank with this number meets in a step; they meet each other
[[nodiscard]] Schedule butterfly(const Problem& op, int (*twin)(int number, int step, int procs));

/// As its source has it of recursive doubling.
/// @see [rabenseifner2004], section 2.4
[[nodiscard]] Formula butterfly_formula(const Problem& op);
inline constexpr std::string_view kButterflyFormula =
    "ceil(lg p) (alpha + m beta + m gamma); p no 2^k: + fa alpha + fb m beta";

}  // namespace breakeven::kernels::allreduce
