// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "kernels/exchange.hpp"

namespace breakeven::kernels {

/// What a rank sends and receives in a round.
struct Load {
  double out = 0;
  double in = 0;
};

/// The loads of each rank's rounds, a message counting what `weight` says: loads[rank][round].
[[nodiscard]] std::vector<std::vector<Load>> loads_of(
    const Exchange& exchange, const std::function<double(const Transfer&)>& weight);

/// By message how long they take if a rank sends, and receives, one at a time: each is there when
/// all have passed that go the same way in the round of its busier side.
[[nodiscard]] std::vector<double> durations_of(const Exchange& exchange,
                                               const std::vector<std::vector<Load>>& loads);

}  // namespace breakeven::kernels
