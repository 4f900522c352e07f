// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/price.hpp"

#include <algorithm>

namespace breakeven {

namespace {

Cost counted_cost(const Schedule& schedule) {
  Cost cost;
  for (const Round& round : schedule.rounds) {
    cost.rounds += round.comm.empty() ? 0 : 1;
    for (const Comm& comm : round.comm) {
      if (const auto* send = std::get_if<Send>(&comm)) cost.sent += send->count;
    }
    for (const Local& local : round.local) {
      if (const auto* reduce = std::get_if<Reduce>(&local)) cost.reduced += reduce->count;
    }
  }
  cost.sent /= schedule.blocks;
  cost.reduced /= schedule.blocks;
  return cost;
}

}  // namespace

Cost counted_cost(std::span<const Schedule> world) {
  Cost most;
  for (const Schedule& schedule : world) {
    const Cost cost = counted_cost(schedule);
    most.rounds = std::max(most.rounds, cost.rounds);
    most.sent = std::max(most.sent, cost.sent);
    most.reduced = std::max(most.reduced, cost.reduced);
  }
  return most;
}

}  // namespace breakeven
