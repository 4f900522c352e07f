// SPDX-License-Identifier: BSD-3-Clause
#include "sim/logp.hpp"

namespace breakeven::sim {

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
  return {.cost = [cost = cost_of(machine)](double, int) { return cost; },
          .gamma = machine.gamma_per_byte};
}

Overlap overlap_of(const LogfP& machine) {
  const MessageCost with_gap = cost_of({.L = machine.L, .o = machine.o, .g = machine.g});
  MessageCost without = with_gap;
  without.send_gap = 0;
  return {.cost = [with_gap, without, free = machine.f](
                      double, int place) { return place + 1 < free ? without : with_gap; },
          .gamma = machine.gamma_per_byte};
}

}  // namespace breakeven::sim
