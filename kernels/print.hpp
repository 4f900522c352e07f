// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// Which algorithm the schedules of a print came from.
struct Title {
  Collective collective = Collective::allreduce;
  std::string_view algorithm;
  Rank root{};  ///< printed for rooted collectives
};

/// The contract with outside tools, format "breakeven-schedule-1": see docs/schedule.md.
/// @param world  world[r] is the schedule of rank r
[[nodiscard]] std::string to_json(const Title& title, std::span<const Schedule> world);

/// One line for each step, by rank and round, to read.
[[nodiscard]] std::string to_text(const Title& title, std::span<const Schedule> world);

}  // namespace breakeven
