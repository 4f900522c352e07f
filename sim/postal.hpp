// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// @param postal  the parameters of messages of so many bytes
[[nodiscard]] Ports ports_of(const std::function<const Postal&(double bytes)>& postal,
                             const Gamma& gamma);

}  // namespace breakeven::sim
