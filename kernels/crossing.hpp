// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels {

/// The messages of a schedule between nodes, of the node that sends the most: the slower channel,
/// which all ranks of a node share.
/// @see [ricogallego2014], section III, which counts the messages between nodes of a ring
struct Crossing {
  double sent = 0;   ///< in parts of the vector
  int messages = 0;  ///< of two that send the same, the one with fewer is better
  friend auto operator<=>(const Crossing&, const Crossing&) = default;
};

/// The messages between nodes of an algorithm on a problem, whose `me` is ignored.
///
/// Up to kMostWhole processes, and of brief schedules beyond, all nodes are read. Else the first,
/// the last, the root's and those at powers of two; where schedules are long fewer, and some ranks
/// of each, from its first to its last: the same ranks in any rank order, so that results compare.
/// @pre runs(algorithm, problem)
[[nodiscard]] Crossing crossing(const Algorithm& algorithm, const Problem& problem);

}  // namespace breakeven::kernels
