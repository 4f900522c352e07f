// SPDX-License-Identifier: BSD-3-Clause
#include "sim/postal.hpp"

#include <algorithm>

namespace breakeven::sim {

namespace {

/// Whether neither side has messages the other way meanwhile.
bool goes_one_way(const kernels::Transfer& message, const kernels::Exchange& exchange) {
  const auto work_of = [&](int rank, int round) -> const kernels::RoundWork& {
    return exchange.ranks[static_cast<std::size_t>(rank)][static_cast<std::size_t>(round)];
  };
  const auto source_of = [&](int index) {
    return exchange.transfers[static_cast<std::size_t>(index)].source;
  };
  const auto sent = work_of(message.source, message.source_round).transfers;
  const auto received = work_of(message.to, message.to_round).transfers;
  return std::ranges::all_of(sent, [&](int each) { return source_of(each) == message.source; }) &&
         std::ranges::none_of(received, [&](int each) { return source_of(each) == message.to; });
}

}  // namespace

Ports ports_of(const std::function<const Postal&(double bytes)>& postal, const Gamma& gamma,
               const kernels::Exchange& exchange, const kernels::CollectiveCall& call) {
  const auto duration = [postal, &exchange, &call](std::size_t index) {
    const kernels::Transfer& message = exchange.transfers[index];
    const double bytes = bytes_of(message, exchange, call);
    const Postal& machine = postal(bytes);
    const bool both_alike = machine.f_alpha == 1 && machine.f_beta == 1;
    const bool one_way = !both_alike && goes_one_way(message, exchange);
    const double f_alpha = one_way ? machine.f_alpha : 1;
    const double f_beta = one_way ? machine.f_beta : 1;
    return ticks_of({f_alpha * machine.alpha.value}) +
           ticks_of({f_beta * bytes * machine.beta_per_byte.value});
  };
  return {.duration = duration, .gamma = gamma};
}

}  // namespace breakeven::sim
