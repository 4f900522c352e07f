// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "kernels/call.hpp"
#include "kernels/exchange.hpp"

namespace breakeven::kernels {

/// The messages and reductions of a call as GOAL text, which LogGOPSim and its kin simulate: for
/// each rank `send 8b to 1 tag 0`, `recv 8b from 3 tag 0` and `calc 500` (nanoseconds) with the
/// operations that each requires: those of a round require all of the round before. The k-th
/// message from one rank to another has tag k, so that no simulator has to match them in order.
/// Copies take no time.
/// @param reduction  the time to reduce two operands of this many bytes
/// @see [hoefler2010]; docs/files.md
[[nodiscard]] std::string to_goal(const Exchange& exchange, const CollectiveCall& call,
                                  const std::function<Seconds(double bytes)>& reduction);

}  // namespace breakeven::kernels
