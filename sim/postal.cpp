// SPDX-License-Identifier: BSD-3-Clause
#include "sim/postal.hpp"

#include "kernels/timeline.hpp"

namespace breakeven {

Seconds finish_time(const Exchange& exchange, const CollectiveCall& call, const Postal& machine) {
  const auto bytes = [&](BlockRange blocks) {
    const std::int64_t elements = block_begin(call, exchange.blocks, blocks.first + blocks.count) -
                                  block_begin(call, exchange.blocks, blocks.first);
    return static_cast<double>((elements * extent(call.datatype)).value);
  };
  const auto end = [&](std::size_t message, double begin) {
    double time = begin + machine.alpha.value;
    for (const BlockRange blocks : exchange.transfers[message].blocks) {
      time += bytes(blocks) * machine.beta_per_byte.value;
    }
    return time;
  };
  const auto reduction = [&](BlockRange blocks) {
    return bytes(blocks) * machine.gamma_per_byte.value;
  };
  return {timeline(exchange, {.end = end, .reduction = reduction, .one_ported = true}).end};
}

}  // namespace breakeven
