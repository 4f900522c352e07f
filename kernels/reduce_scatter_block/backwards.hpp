// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/algorithm.hpp"

namespace breakeven::kernels::reduce_scatter_block {

/// An allgather run backwards: for each block that a rank gets there it sends its partial result
/// here, and for each block that it sends there it reduces an arrival here. A partial result lies
/// in the input until something has been reduced to it, or until it goes in one message with
/// others.
/// @pre the allgather only copies its input to the output, and has no scratch
[[nodiscard]] Schedule backwards(const Algorithm& allgather, Problem op);

/// The allgather's, with as much reduced as sent.
[[nodiscard]] Formula backwards_formula(const Algorithm& allgather, const Problem& op);

}  // namespace breakeven::kernels::reduce_scatter_block
