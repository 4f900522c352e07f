// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "kernels/exchange.hpp"

namespace breakeven::kernels {

/// When the parts of an exchange happen, in the unit of their durations, from 0 on.
struct Timeline {
  std::vector<double> begins{};  ///< by message
  double end = 0;                ///< of the last rank: the length of the critical path
};

/// What the parts of an exchange take.
struct PartTimes {
  /// When a message ends that begins at a time.
  std::function<double(std::size_t message, double begin)> end{};
  std::function<double(BlockRange blocks)> reduction{};  ///< of these blocks
  /// Whether a rank sends one message and receives one at a time, in the order in which they become
  /// ready; else a message begins whatever else is on its way.
  bool one_ported = false;
};

/// Lets every message begin as soon as both its sides are in their rounds, and a rank go on to its
/// next round when all its messages have ended and it has reduced.
/// @throws Error when ranks wait for each other for ever.
[[nodiscard]] Timeline timeline(const Exchange& exchange, const PartTimes& times);

/// The same, with any number of ports.
/// @param durations          by message
/// @param per_reduced_block  how long the reduction of a block takes
[[nodiscard]] Timeline timeline(const Exchange& exchange, std::span<const double> durations,
                                double per_reduced_block = 0);

}  // namespace breakeven::kernels
