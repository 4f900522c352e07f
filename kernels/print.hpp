// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// The algorithm and problem that a print is of.
struct Title {
  Problem problem{};  ///< its `me` is ignored
  std::string_view algorithm;

  /// "allreduce/ring:reorder_ranks=seq, p = 4, blocks = 4"
  [[nodiscard]] std::string text(int blocks) const;
};

/// The contract with outside tools, format "breakeven-schedule-1": see docs/files.md.
/// @param world  world[r] is the schedule of rank r
[[nodiscard]] std::string to_json(const Title& title, std::span<const Schedule> world);

/// One line for each step, by rank and round, to read.
[[nodiscard]] std::string to_text(const Title& title, std::span<const Schedule> world);

/// A picture: a lane for each rank, a column for each step, an arrow for each message with the
/// blocks that it carries, a dot where a rank reduces.
/// @pre the schedules pass verify()
[[nodiscard]] std::string to_svg(const Title& title, std::span<const Schedule> world);

/// A picture of all pairs that exchange messages: ranks in a circle, filled by their node, an arrow
/// for each pair in the colour of the first round that uses it, bold between nodes.
[[nodiscard]] std::string to_circle_svg(const Title& title, std::span<const Schedule> world);

}  // namespace breakeven::kernels
