// SPDX-License-Identifier: BSD-3-Clause
#include "sim/ports.hpp"

#include <algorithm>
#include <utility>

#include "sim/port_run.hpp"

namespace breakeven::sim {

namespace {

/// Where no round has two messages that go the same way, no two want the same port at a time, and
/// the order of the exchange serves.
std::vector<Ticks> run_apart(const kernels::Exchange& exchange, const PortPrices& prices,
                             std::vector<Ticks> entered, Trace* trace) {
  std::vector<Ticks> ends(exchange.transfers.size());
  for (const kernels::Turn turn : exchange.order) {
    const kernels::RankRound& round = exchange.rounds[turn.round()];
    Ticks& now = entered[static_cast<std::size_t>(round.rank)];
    if (!turn.receives()) {
      for (const int index : exchange.sent_in(round)) {
        const auto number = static_cast<std::size_t>(index);
        const kernels::Transfer& message = exchange.transfers[number];
        const Ticks begin = std::max(now, entered[static_cast<std::size_t>(message.to)]);
        ends[number] = begin + prices.duration(message);
        if (trace != nullptr) trace->messages[number] = {begin, ends[number]};
      }
      continue;
    }
    for (const int index : exchange.sent_in(round)) {
      now = std::max(now, ends[static_cast<std::size_t>(index)]);
    }
    for (const int index : exchange.received_in(round)) {
      now = std::max(now, ends[static_cast<std::size_t>(index)]);
    }
    const Ticks reduction = prices.reduction(round);
    if (reduction > 0 && trace != nullptr) {
      trace->reductions[static_cast<std::size_t>(round.rank)].push_back({now, now + reduction});
    }
    now += reduction;
  }
  return entered;
}

}  // namespace

std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const Ports& machine, std::span<const Ticks> starts, Trace* trace) {
  std::vector<Ticks> begins(static_cast<std::size_t>(exchange.procs), 0);
  std::ranges::copy(starts, begins.begin());
  const PortPrices prices{exchange, call, machine};
  const bool apart = std::ranges::all_of(exchange.rounds, [](const kernels::RankRound& round) {
    return round.sends <= 1 && round.receives <= 1;
  });
  if (apart) return run_apart(exchange, prices, std::move(begins), trace);
  return run_with_choices(exchange, prices, std::move(begins), trace);
}

}  // namespace breakeven::sim
