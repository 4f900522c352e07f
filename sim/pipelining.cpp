// SPDX-License-Identifier: BSD-3-Clause
#include "sim/pipelining.hpp"

namespace breakeven::sim {

Overlap overlap_of(const Pipelining& machine) {
  const auto cost = [machine](double bytes) -> MessageCost {
    const Ticks each = ticks_of(machine.alpha_r) + ticks_of({bytes * machine.beta_per_byte.value});
    const Ticks once =
        ticks_of(machine.alpha_p) + ticks_of({bytes * machine.latency_per_byte.value});
    const Ticks received = machine.free_receives != 0 ? 0 : each;
    if (machine.first_is_free != 0) {
      return {.send_gap = each, .flight = once, .recv_gap = received};
    }
    return {.send_held = each, .send_gap = each, .flight = each + once, .recv_gap = received};
  };
  return {.cost = cost, .gamma = machine.gamma_per_byte};
}

}  // namespace breakeven::sim
