// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/loads.hpp"

#include <algorithm>

namespace breakeven::kernels {

std::vector<std::vector<Load>> loads_of(const Exchange& exchange,
                                        const std::function<double(const Transfer&)>& weight) {
  std::vector<std::vector<Load>> loads;
  for (const auto& rounds : exchange.ranks) loads.emplace_back(rounds.size());
  for (const Transfer& message : exchange.transfers) {
    const auto at = [&](int rank, int round) -> Load& {
      return loads[static_cast<std::size_t>(rank)][static_cast<std::size_t>(round)];
    };
    const double load = weight(message);
    at(message.source, message.source_round).out += load;
    at(message.to, message.to_round).in += load;
  }
  return loads;
}

std::vector<double> durations_of(const Exchange& exchange,
                                 const std::vector<std::vector<Load>>& loads) {
  std::vector<double> durations;
  for (const Transfer& message : exchange.transfers) {
    const auto at = [&](int rank, int round) -> const Load& {
      return loads[static_cast<std::size_t>(rank)][static_cast<std::size_t>(round)];
    };
    durations.push_back(std::max(at(message.source, message.source_round).out,
                                 at(message.to, message.to_round).in));
  }
  return durations;
}

}  // namespace breakeven::kernels
