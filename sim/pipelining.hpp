// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/units.hpp"
#include "kernels/call.hpp"
#include "kernels/exchange.hpp"

namespace breakeven::sim {

/// The pipelining postal model: of the messages of a round a part overlaps, their latency, and a
/// part doesn't. A round in which a rank sends b messages of n bytes, or receives them, takes
/// latency + n latency_per_byte + b (alpha + n beta); reducing two operands of n bytes takes n
/// gamma, copies are free.
/// @see [ruefenacht2017], section 3, whose latency has no part for each byte
struct Pipelining {
  Seconds alpha{};             ///< of each message
  Seconds beta_per_byte{};     ///< sent
  Seconds gamma_per_byte{};    ///< reduced
  Seconds latency{};           ///< of the messages of a round
  Seconds latency_per_byte{};  ///< of each of them
};

/// The time from the common start until the last rank is done. A rank goes on to its next round
/// when all messages of its round are through.
/// @throws Error when ranks wait for each other for ever.
[[nodiscard]] Seconds finish_time(const kernels::Exchange& exchange,
                                  const kernels::CollectiveCall& call, const Pipelining& machine);

}  // namespace breakeven::sim
