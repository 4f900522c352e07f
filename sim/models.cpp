// SPDX-License-Identifier: BSD-3-Clause
#include "sim/models.hpp"

#include <algorithm>
#include <cmath>

namespace breakeven::sim {

Ports ports_of(const std::function<const Postal&(double bytes)>& postal, const Gamma& gamma) {
  const auto duration = [postal](double bytes, bool one_way) {
    const Postal& machine = postal(bytes);
    const double f_alpha = one_way ? machine.f_alpha : 1;
    const double f_beta = one_way ? machine.f_beta : 1;
    return ticks_of({f_alpha * machine.alpha.value}) +
           ticks_of({f_beta * bytes * machine.beta_per_byte.value});
  };
  return {.duration = duration, .gamma = gamma};
}

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

namespace {

MessageCost cost_of(const LogP& machine) {
  const Ticks o = ticks_of(machine.o);
  const Ticks g = ticks_of(machine.g);
  return {.send_busy = o,
          .send_gap = g,
          .flight = o + ticks_of(machine.L),
          .recv_busy = o,
          .recv_gap = g};
}

}  // namespace

Overlap overlap_of(const LogP& machine) {
  return {.cost = [cost = cost_of(machine)](double) { return cost; },
          .gamma = machine.gamma_per_byte};
}

Overlap overlap_of(const LogfP& machine) {
  MessageCost cost = cost_of({.L = machine.L, .o = machine.o, .g = machine.g});
  // None follows on the f-th without a gap.
  cost.without_gap = static_cast<int>(std::ceil(std::clamp(machine.f - 1, 0., 1e9)));
  return {.cost = [cost](double) { return cost; }, .gamma = machine.gamma_per_byte};
}

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
