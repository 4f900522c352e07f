// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "kernels/algorithm.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// Counts what a schedule costs, to be compared with what its source states: rounds with
/// communication, blocks sent and blocks reduced, each of the rank that has most of it, volumes
/// in parts of the vector.
/// @param world  world[r] is the schedule of rank r
[[nodiscard]] Cost counted_cost(std::span<const Schedule> world);

}  // namespace breakeven
