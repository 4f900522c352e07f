// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/overlap.hpp"

namespace breakeven::sim {

/// LogP: sender and receiver are busy for o with each message, which is L under way; two messages
/// in one direction begin at least g apart. How long a message is doesn't matter.
/// @see [culler1993]
struct LogP {
  Seconds L{};
  Seconds o{};
  Seconds g{};
  Seconds gamma_per_byte{};  ///< of reducing two operands; not the source's
};
[[nodiscard]] Overlap overlap_of(const LogP& machine);

/// LogfP: LogP in which the first f messages that a rank sends in a round begin without a gap.
/// @see [hoefler2006f]
struct LogfP {
  Seconds L{};
  Seconds o{};
  Seconds g{};
  double f = 1;
  Seconds gamma_per_byte{};
};
[[nodiscard]] Overlap overlap_of(const LogfP& machine);

}  // namespace breakeven::sim
