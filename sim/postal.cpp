// SPDX-License-Identifier: BSD-3-Clause
#include "sim/postal.hpp"

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

}  // namespace breakeven::sim
