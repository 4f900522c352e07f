// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <span>

#include "kernels/placement.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// What a schedule sends from node to node, of the node that sends the most: the slower channel,
/// which all ranks of a node share.
/// @see [ricogallego2014], section III, which counts the messages between nodes of a ring
struct Crossing {
  double sent = 0;   ///< in parts of the vector
  int messages = 0;  ///< of two that send the same, the one with fewer is better
  friend auto operator<=>(const Crossing&, const Crossing&) = default;
};

/// @param world  world[r] is the schedule of rank r
[[nodiscard]] Crossing crossing(std::span<const Schedule> world, const Placement& placement);

}  // namespace breakeven::kernels
