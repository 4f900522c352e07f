// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "sim/trace.hpp"

namespace breakeven::sim {

/// Nodes of processes that share a memory bus and a network card: a message waits where others are
/// served. The placement of the problem says which ranks share a node.
///
/// Sender and receiver are busy for o with each message. Within a node it passes the bus, which
/// takes n bus_per_byte, and is there L_intra later. To another node it passes the sender's bus,
/// the outgoing side of its card, the incoming side of the receiver's card, L_inter later, and the
/// receiver's bus, all as a stream: each begins with a message when its first byte is there, and
/// ends no earlier than the one before. The sender copies the message itself, at n copy_per_byte
/// at most, and goes on when this is done. Bus and both sides of a card serve one message at a
/// time, the first first; of equal times that of the lower rank, then in the order posted. Above S
/// bytes a sender waits until its receiver is in the round that receives, with its further messages
/// too, and stays in its round until the message is there.
/// @see [ricogallego2014], section IV, for what sharing the bus costs
struct TwoLevel {
  Seconds latency_intra{};
  Seconds latency_inter{};
  Seconds overhead{};
  Seconds bus_per_byte{};
  Seconds card_per_byte{};   ///< in each direction
  Seconds copy_per_byte{};   ///< by one process
  double S = 0;              ///< bytes; 0: no message waits for its receiver
  Seconds gamma_per_byte{};  ///< of reducing two operands
};

/// The machine of messages, and of reductions, of this many bytes.
using TwoLevelBySize = std::function<const TwoLevel&(double bytes)>;

/// In a round a rank sends its messages in the order of the schedule, then takes what it receives
/// in the order of arrival, then reduces. Noise stretches what its processor does.
/// @param trace  where to write what happens when; none: nowhere
/// @return when each rank is done
std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const TwoLevelBySize& machine, const Conditions& conditions, Trace* trace);

}  // namespace breakeven::sim
