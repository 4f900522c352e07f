// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "core/units.hpp"
#include "kernels/call.hpp"
#include "kernels/exchange.hpp"

namespace breakeven::sim {

/// The postal model with a computation term: a message of n bytes takes alpha + n beta, reducing
/// two operands of n bytes takes n gamma, copies are free.
/// @see [rabenseifner2004], section 2.1; [chan2007]. It isn't the model of [ruefenacht2017],
///      section 3, in which the messages of a round overlap.
struct Postal {
  Seconds alpha{};           ///< of each message
  Seconds beta_per_byte{};   ///< sent
  Seconds gamma_per_byte{};  ///< reduced
};

/// How the name of a machine that is a model begins.
inline constexpr std::string_view kPostal = "postal:";
[[nodiscard]] constexpr bool is_model(std::string_view machine) {
  return machine.starts_with(kPostal);
}

/// The time from the common start until the last rank is done.
///
/// Every rank sends one message and receives one at a time (one-ported, full duplex); a message
/// begins when both sides have posted their rounds and both ports are free, in the order in which
/// messages become ready.
/// @throws Error when ranks wait for each other for ever.
[[nodiscard]] Seconds finish_time(const kernels::Exchange& exchange,
                                  const kernels::CollectiveCall& call, const Postal& machine);

}  // namespace breakeven::sim
