// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels {

/// What a schedule sends from node to node, of the node that sends the most: the slower channel,
/// which all ranks of a node share.
/// @see [ricogallego2014], section III, which counts the messages between nodes of a ring
struct Crossing {
  double sent = 0;   ///< in parts of the vector
  int messages = 0;  ///< of two that send the same, the one with fewer is better
  friend auto operator<=>(const Crossing&, const Crossing&) = default;
};

/// What an algorithm sends on a problem, whose `me` is ignored.
///
/// Up to kMostWhole processes, and of brief schedules beyond, of all nodes. Else of the first, the
/// last, the root's and those at powers of two; where schedules are long of fewer, and of some
/// ranks of each, from its first to its last: the same ranks in whatever order, so that results
/// compare.
/// @pre runs(algorithm, problem)
[[nodiscard]] Crossing crossing(const Algorithm& algorithm, const Problem& problem);

}  // namespace breakeven::kernels
