// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/overlap.hpp"

namespace breakeven::sim {

/// The pipelining postal model: of the messages of a round a part overlaps, their latency, and a
/// part doesn't. A round in which a rank sends b messages of n bytes, or receives them, takes
/// alpha_p + n latency_per_byte + b (alpha_r + n beta); reducing two operands of n bytes takes n
/// gamma, copies are free. Who only sends is done after b (alpha_r + n beta).
/// @see [ruefenacht2017], section 3, whose latency has no part for each byte
struct Pipelining {
  Seconds alpha_r{};           ///< of each message
  Seconds beta_per_byte{};     ///< sent
  Seconds gamma_per_byte{};    ///< reduced
  Seconds alpha_p{};           ///< of the messages of a round
  Seconds latency_per_byte{};  ///< of each of them
  /// Whether the first message of a round pays alpha_p alone: alpha_p + (b - 1) alpha_r. The source
  /// permits both readings.
  double first_is_free = 0;
  /// Whether receiving takes nothing, as in the source's simulator (section 6): only senders pay
  /// for each message.
  double free_receives = 0;
};
[[nodiscard]] Overlap overlap_of(const Pipelining& machine);

}  // namespace breakeven::sim
