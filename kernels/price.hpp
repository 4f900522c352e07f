// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels {

/// Counts: messages, what they carry and what is reduced, in parts of the vector. In the papers'
/// model these are the factors of alpha, beta m and gamma m.
struct Cost {
  double messages = 0;
  double sent = 0;
  double reduced = 0;
};

/// What a schedule costs, counted.
struct Price {
  int rounds = 0;   ///< with communication, one after the other
  int at_once = 0;  ///< the most messages that a rank sends, or receives, in one round
  /// Each along the chain of steps that has most of it, every rank sending one message at a time
  /// and receiving one: what a source's formula is compared with.
  Cost critical_path{};
  Cost busiest_rank{};  ///< what the rank sends that sends most, and reduces that reduces most
};

/// @param problem  the problem of any rank: its `me` is ignored
/// @param world    world[r] is the schedule of rank r
/// @pre the schedules pass verify()
[[nodiscard]] Price price(const Problem& problem, std::span<const Schedule> world);

}  // namespace breakeven::kernels
