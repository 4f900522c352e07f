// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/timeline.hpp"

#include <algorithm>

namespace breakeven::kernels {

Timeline timeline(const Exchange& exchange, std::span<const double> durations,
                  double per_reduced_block) {
  Timeline drawn{.begins = std::vector<double>(exchange.transfers.size(), 0)};
  std::vector<double> ranks(static_cast<std::size_t>(exchange.procs), 0);  // when in their rounds
  std::vector<double> ends(exchange.transfers.size(), 0);
  const auto now = [&](int rank) -> double& { return ranks[static_cast<std::size_t>(rank)]; };
  for (const Turn turn : exchange.order) {
    const RankRound& round = exchange.rounds[turn.round()];
    if (!turn.receives()) {
      for (const int index : exchange.sent_in(round)) {
        const auto message = static_cast<std::size_t>(index);
        drawn.begins[message] = std::max(now(round.rank), now(exchange.transfers[message].to));
        ends[message] = drawn.begins[message] + durations[message];
      }
      continue;
    }
    double end = now(round.rank);
    for (const int index : exchange.sent_in(round)) {
      end = std::max(end, ends[static_cast<std::size_t>(index)]);
    }
    for (const int index : exchange.received_in(round)) {
      end = std::max(end, ends[static_cast<std::size_t>(index)]);
    }
    for (const BlockRange blocks : exchange.blocks_of(round.reduced)) {
      end += blocks.count * per_reduced_block;
    }
    now(round.rank) = end;
  }
  drawn.end = std::ranges::max(ranks);
  return drawn;
}

}  // namespace breakeven::kernels
