// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/crossing.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace breakeven::kernels {

Crossing crossing(std::span<const Schedule> world, const Placement& placement) {
  const auto procs = static_cast<int>(world.size());
  std::vector<int> node_of;
  for (Rank rank{0}; rank.value < procs; ++rank.value) {
    node_of.push_back(placement.node_of(rank, procs));
  }
  struct Sent {
    std::int64_t blocks = 0;
    int messages = 0;
  };
  std::vector<Sent> nodes(static_cast<std::size_t>(placement.nodes(procs)));
  for (std::size_t rank = 0; rank < world.size(); ++rank) {
    Sent& own = nodes[static_cast<std::size_t>(node_of[rank])];
    for (const Round& round : world[rank].rounds) {
      for (const Comm& comm : round.comm) {
        const auto* send = std::get_if<Send>(&comm);
        if (send == nullptr) continue;
        if (node_of[static_cast<std::size_t>(send->to.value)] == node_of[rank]) continue;
        own.blocks += send->count;
        ++own.messages;
      }
    }
  }
  Crossing most;
  for (const Sent& sent : nodes) {
    const double parts = static_cast<double>(sent.blocks) / std::max(1, world[0].blocks);
    most = {.sent = std::max(most.sent, parts), .messages = std::max(most.messages, sent.messages)};
  }
  return most;
}

}  // namespace breakeven::kernels
