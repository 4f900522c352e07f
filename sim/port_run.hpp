// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "sim/ports.hpp"

namespace breakeven::sim {

/// The prices of an exchange on a machine, for both ways of running, and a message's two rounds.
class PortPrices {
 public:
  PortPrices(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
             const Ports& machine)
      : exchange_{exchange} {
    const std::vector<std::int64_t> bytes = bytes_of_sets(exchange, call);
    reductions_ = reduction_times(bytes, machine.gamma);
    for (const std::int64_t each : bytes) {
      const auto size = static_cast<double>(each);
      durations_.push_back({machine.duration(size, false), machine.duration(size, true)});
    }
  }

  [[nodiscard]] Ticks duration(const kernels::Transfer& message) const {
    const bool one_way = sender(message).receives == 0 && receiver(message).sends == 0;
    return durations_[static_cast<std::size_t>(message.carried)][one_way ? 1 : 0];
  }
  [[nodiscard]] bool some_take_no_time() const {
    return std::ranges::any_of(durations_,
                               [](const auto& each) { return std::ranges::min(each) == 0; });
  }
  [[nodiscard]] Ticks reduction(const kernels::RankRound& round) const {
    return reductions_[static_cast<std::size_t>(round.reduced)];
  }
  [[nodiscard]] const kernels::RankRound& sender(const kernels::Transfer& message) const {
    return exchange_.rounds[static_cast<std::size_t>(message.source_round)];
  }
  [[nodiscard]] const kernels::RankRound& receiver(const kernels::Transfer& message) const {
    return exchange_.rounds[static_cast<std::size_t>(message.to_round)];
  }

 private:
  const kernels::Exchange& exchange_;
  std::vector<std::array<Ticks, 2>> durations_;  // by set of blocks
  std::vector<Ticks> reductions_;                // by set of blocks
};

/// Any exchange.
/// @param starts  when each rank begins
/// @return when each rank is done
std::vector<Ticks> run_with_choices(const kernels::Exchange& exchange, const PortPrices& prices,
                                    std::vector<Ticks> starts, Trace* trace);

}  // namespace breakeven::sim
