// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>

#include "sim/trace.hpp"

namespace breakeven::sim {

/// What messages and reductions take where every rank sends one message at a time and receives one.
struct Ports {
  std::function<Ticks(std::size_t message)> duration;
  Gamma gamma{};
};

/// A message begins when both its sides are in their rounds and both ports are free, and takes both
/// until it ends. Of the messages that may begin at a time such a set does that the ports with most
/// messages left in their rounds are taken, see heaviest_matching; of equal sets the first in the
/// order posted, by rank.
/// @param starts  when each rank begins; empty: all at 0
/// @throws Error when ranks wait for each other for ever.
[[nodiscard]] Trace run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                        const Ports& machine, std::span<const Ticks> starts);

}  // namespace breakeven::sim
