// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/loads.hpp"

#include <algorithm>

namespace breakeven::kernels {

std::vector<Load> loads_of(const Exchange& exchange,
                           const std::function<double(const Transfer&)>& weight) {
  std::vector<Load> loads(exchange.rounds.size());
  for (const Transfer& message : exchange.transfers) {
    const double load = weight(message);
    loads[static_cast<std::size_t>(message.source_round)].out += load;
    loads[static_cast<std::size_t>(message.to_round)].in += load;
  }
  return loads;
}

std::vector<double> durations_of(const Exchange& exchange, std::span<const Load> loads) {
  std::vector<double> durations;
  for (const Transfer& message : exchange.transfers) {
    durations.push_back(std::max(loads[static_cast<std::size_t>(message.source_round)].out,
                                 loads[static_cast<std::size_t>(message.to_round)].in));
  }
  return durations;
}

}  // namespace breakeven::kernels
