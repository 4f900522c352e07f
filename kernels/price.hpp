// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/exchange.hpp"

namespace breakeven::kernels {

/// Counts: messages, and in parts of the vector the data that they carry and the reduced data. In
/// the papers' model these are the factors of alpha, beta m and gamma m.
struct Cost {
  double messages = 0;
  double sent = 0;
  double reduced = 0;
};

/// The cost of a schedule, counted.
struct Price {
  int rounds = 0;   ///< with communication, one after the other
  int at_once = 0;  ///< the most messages that a rank sends, or receives, in one round
  /// Each along the chain of steps that has most of it, every rank sending one message at a time
  /// and receiving one: to be compared with a source's formula.
  Cost critical_path{};
  Cost busiest_rank{};  ///< of the rank that sends most, and of the one that reduces most
};

/// @param problem  the problem of any rank: its `me` is ignored
/// @param world    world[r] is the schedule of rank r
/// @pre the schedules pass verify()
[[nodiscard]] Price price(const Problem& problem, std::span<const Schedule> world);

/// The load of a rank in a round.
struct Load {
  double out = 0;
  double in = 0;
};

/// The loads of all rounds, a message counting what `weight` says.
[[nodiscard]] std::vector<Load> loads_of(const Exchange& exchange,
                                         const std::function<double(const Transfer&)>& weight);

}  // namespace breakeven::kernels
