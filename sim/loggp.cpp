// SPDX-License-Identifier: BSD-3-Clause
#include "sim/loggp.hpp"

#include <algorithm>

namespace breakeven::sim {

Overlap overlap_of(const LogGP& machine) {
  const auto cost = [machine](double bytes) -> MessageCost {
    const double more = std::max(bytes - 1, 0.);  // a message without bytes is not cheaper
    const Ticks o = ticks_of(machine.o);
    const Ticks g = ticks_of(machine.g);
    const Ticks sent = ticks_of({more * machine.G.value});
    const Ticks copied = ticks_of({more * machine.O.value});
    return {.send_busy = o + copied,
            .send_gap = g + sent,
            .flight = o + ticks_of(machine.L),
            .recv_busy = o + std::max(copied, sent) + (machine.per_receive != 0 ? g : 0),
            .recv_gap = g + sent,
            .rendezvous = machine.S > 0 && bytes > machine.S};
  };
  return {.cost = cost, .gamma = machine.gamma_per_byte};
}

}  // namespace breakeven::sim
