// SPDX-License-Identifier: BSD-3-Clause
#include "sim/logp.hpp"

#include <algorithm>
#include <cmath>

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
  return {.cost = [cost = cost_of(machine)](double) { return cost; },
          .gamma = machine.gamma_per_byte};
}

Overlap overlap_of(const LogfP& machine) {
  MessageCost cost = cost_of({.L = machine.L, .o = machine.o, .g = machine.g});
  // None follows on the f-th without a gap.
  cost.without_gap = static_cast<int>(std::ceil(std::clamp(machine.f - 1, 0., 1e9)));
  return {.cost = [cost](double) { return cost; }, .gamma = machine.gamma_per_byte};
}

}  // namespace breakeven::sim
