// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "sim/trace.hpp"

namespace breakeven::sim {

/// The cost of a message to its sender, the network and its receiver, where messages overlap.
struct MessageCost {
  Ticks send_busy = 0;      ///< of the sender's processor
  Ticks send_held = 0;      ///< from its begin until the sender may end its round
  Ticks send_gap = 0;       ///< from its begin until the sender may begin the next
  Ticks flight = 0;         ///< from its begin until it is at the receiver
  Ticks recv_busy = 0;      ///< of the receiver's processor
  Ticks recv_gap = 0;       ///< from there until the receiver may begin with the next
  int without_gap = 0;      ///< the number of messages of a round, the first ones, without send_gap
  bool rendezvous = false;  ///< it begins when the receiver is in the round that receives it
};

/// The common form of all models in which several messages are on their way at a time.
struct Overlap {
  std::function<MessageCost(double bytes)> cost;  ///< of a message of this many bytes
  Gamma gamma{};                                  ///< of the reduction of two operands
};

/// In a round a rank sends its messages in the order of the schedule, then takes what it receives
/// in the order of arrival, of equal arrivals in the order of its receives, then reduces. Noise
/// stretches what its processor does.
/// @param trace  where to write what happens when; none: nowhere
/// @return when each rank is done
std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const Overlap& machine, const Conditions& conditions, Trace* trace);

}  // namespace breakeven::sim
