// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/overlap.hpp"

namespace breakeven::sim {

/// LogGP: LogP in which each byte of a message of k bytes but the first takes G more, and above S
/// bytes the sender waits until its receiver is there. A message that is alone takes 2 o + L + (k -
/// 1) G.
///
/// Sources differ in where a byte is paid for. Here, as in [hoefler2010], the receiver's processor
/// is busy for o + (k - 1) G. With `per_receive` a receive takes g more, as in its successor
/// [shen2025]: such a message takes 2 o + L + g + (k - 1) G.
/// @see [alexandrov1995]
struct LogGP {
  Seconds L{};
  Seconds o{};
  Seconds g{};
  Seconds G{};               ///< for each byte
  Seconds O{};               ///< for each byte, of the sender's processor
  double S = 0;              ///< bytes; 0: no message waits for its receiver
  double per_receive = 0;    ///< 1: the other convention
  Seconds gamma_per_byte{};  ///< of reducing two operands; not the source's
};
[[nodiscard]] Overlap overlap_of(const LogGP& machine);

}  // namespace breakeven::sim
