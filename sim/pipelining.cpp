// SPDX-License-Identifier: BSD-3-Clause
#include "sim/pipelining.hpp"

#include "kernels/loads.hpp"
#include "kernels/timeline.hpp"

namespace breakeven::sim {

Seconds finish_time(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                    const Pipelining& machine) {
  const auto bytes = [&](kernels::BlockRange blocks) {
    return static_cast<double>(kernels::bytes_of(call, exchange.blocks, blocks).value);
  };
  const auto time_of = [&](const kernels::Transfer& message, Seconds fixed, Seconds per_byte) {
    double time = fixed.value;
    for (const kernels::BlockRange blocks : message.blocks) time += bytes(blocks) * per_byte.value;
    return time;
  };
  std::vector<double> durations = kernels::durations_of(
      exchange, kernels::loads_of(exchange, [&](const kernels::Transfer& message) {
        return time_of(message, machine.alpha, machine.beta_per_byte);
      }));
  for (std::size_t i = 0; i < durations.size(); ++i) {
    durations[i] += time_of(exchange.transfers[i], machine.latency, machine.latency_per_byte);
  }
  const auto end = [&](std::size_t message, double begin) { return begin + durations[message]; };
  const auto reduction = [&](kernels::BlockRange blocks) {
    return bytes(blocks) * machine.gamma_per_byte.value;
  };
  return {kernels::timeline(exchange, {.end = end, .reduction = reduction}).end};
}

}  // namespace breakeven::sim
