// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "sim/trace.hpp"

namespace breakeven::sim {

/// Times of messages and reductions where every rank sends one message at a time and receives one.
struct Ports {
  /// Of a message of this many bytes.
  /// @param one_way  its sender receives nothing in its round, and its receiver sends nothing
  std::function<Ticks(double bytes, bool one_way)> duration;
  Gamma gamma{};
};

/// A message begins when both its sides are in their rounds and both ports are free, and takes both
/// until it ends. Of the messages that may begin at a time such a set does that the ports with most
/// messages left in their rounds are taken, see HeaviestMatching; of equal sets the first by rank,
/// then in the order posted.
/// @param trace  where to write what happens when; none: nowhere
/// @return when each rank is done
std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const Ports& machine, std::span<const Ticks> starts, Trace* trace);

}  // namespace breakeven::sim
