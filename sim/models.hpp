// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/overlap.hpp"
#include "sim/ports.hpp"

namespace breakeven::sim {

/// The postal model with a computation term: a message of n bytes takes alpha + n beta, reducing
/// two operands of n bytes takes n gamma, copies are free. Where the sender receives nothing in its
/// round and the receiver sends nothing in its own, a message takes f_alpha alpha + f_beta n beta.
/// @see [rabenseifner2004], section 2.1; [chan2007]. It isn't the model of [ruefenacht2017],
///      section 3, in which the messages of a round overlap.
struct Postal {
  Seconds alpha{};           ///< of each message
  Seconds beta_per_byte{};   ///< sent
  Seconds gamma_per_byte{};  ///< reduced
  double f_alpha = 1;        ///< in one direction / in both at a time
  double f_beta = 1;
};

/// @param postal  the parameters of messages of this many bytes
[[nodiscard]] Ports ports_of(const std::function<const Postal&(double bytes)>& postal,
                             const Gamma& gamma);

/// The pipelining postal model: of the messages of a round a part overlaps, their latency, and a
/// part doesn't. A round in which a rank sends b messages of n bytes, or receives them, takes
/// alpha_p + n latency_per_byte + b (alpha_r + n beta); reducing two operands of n bytes takes n
/// gamma, copies are free. A rank that only sends is done after b (alpha_r + n beta).
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
