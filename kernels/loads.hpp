// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/exchange.hpp"

namespace breakeven::kernels {

/// What a rank sends and receives in a round.
struct Load {
  double out = 0;
  double in = 0;
};

/// The loads of all rounds, a message counting what `weight` says.
[[nodiscard]] std::vector<Load> loads_of(const Exchange& exchange,
                                         const std::function<double(const Transfer&)>& weight);

/// By message how long they take if a rank sends, and receives, one at a time: each is there when
/// all have passed that go the same way in the round of its busier side.
[[nodiscard]] std::vector<double> durations_of(const Exchange& exchange,
                                               std::span<const Load> loads);

}  // namespace breakeven::kernels
