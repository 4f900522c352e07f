// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "kernels/exchange.hpp"

namespace breakeven::kernels {

/// When the parts of an exchange happen, in the unit of their durations, from 0 on.
struct Timeline {
  std::vector<double> begins{};  ///< by message
  double end = 0;                ///< of the last rank: the length of the critical path
};

/// Lets every message begin as soon as both its sides are in their rounds, and a rank go on to its
/// next round when all its messages have ended and it has reduced.
/// @param durations          by message
/// @param per_reduced_block  how long the reduction of a block takes
[[nodiscard]] Timeline timeline(const Exchange& exchange, std::span<const double> durations,
                                double per_reduced_block = 0);

}  // namespace breakeven::kernels
