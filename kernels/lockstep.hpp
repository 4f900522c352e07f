// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernels/exchange.hpp"

namespace breakeven {

/// When each message moves if every message takes one step and nothing else takes time: a message
/// moves in the first step in which both its sides are in their rounds. Steps count from 0.
/// @return by message, as in `exchange.messages`
[[nodiscard]] std::vector<int> lockstep(const Exchange& exchange);

}  // namespace breakeven
