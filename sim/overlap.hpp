// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>

#include "sim/trace.hpp"

namespace breakeven::sim {

/// What a message takes of its sender, of the network and of its receiver, where messages overlap.
struct MessageCost {
  Ticks send_busy = 0;      ///< of the sender's processor
  Ticks send_held = 0;      ///< from its begin until the sender may end its round
  Ticks send_gap = 0;       ///< from its begin until the sender may begin the next
  Ticks flight = 0;         ///< from its begin until it is at the receiver
  Ticks recv_busy = 0;      ///< of the receiver's processor
  Ticks recv_gap = 0;       ///< from there until the receiver may begin with the next
  bool rendezvous = false;  ///< it begins when the receiver is in the round that receives it
};

/// What all models have in common in which several messages are on their way at a time.
struct Overlap {
  /// Of a message of so many bytes, the `place`-th that its rank sends in the round, from 0 on.
  std::function<MessageCost(double bytes, int place)> cost;
  Gamma gamma{};  ///< of the reduction of two operands
};

/// In a round a rank sends its messages in the order of the schedule, then takes what it receives
/// in the order of arrival, of equal arrivals in the order of its receives, then reduces.
/// @param starts  when each rank begins; empty: all at 0
/// @throws Error when ranks wait for each other for ever.
[[nodiscard]] Trace run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                        const Overlap& machine, std::span<const Ticks> starts);

}  // namespace breakeven::sim
