// SPDX-License-Identifier: BSD-3-Clause
#include "sim/postal.hpp"

#include "kernels/timeline.hpp"

namespace breakeven::sim {

Seconds finish_time(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                    const Postal& machine) {
  const auto bytes = [&](kernels::BlockRange blocks) {
    return static_cast<double>(kernels::bytes_of(call, exchange.blocks, blocks).value);
  };
  const auto end = [&](std::size_t message, double begin) {
    double time = begin + machine.alpha.value;
    for (const kernels::BlockRange blocks : exchange.transfers[message].blocks) {
      time += bytes(blocks) * machine.beta_per_byte.value;
    }
    return time;
  };
  const auto reduction = [&](kernels::BlockRange blocks) {
    return bytes(blocks) * machine.gamma_per_byte.value;
  };
  return {
      kernels::timeline(exchange, {.end = end, .reduction = reduction, .one_ported = true}).end};
}

}  // namespace breakeven::sim
