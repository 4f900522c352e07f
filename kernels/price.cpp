// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/price.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/loads.hpp"
#include "kernels/timeline.hpp"

namespace breakeven::kernels {

namespace {

int count_blocks(std::span<const BlockRange> ranges) {
  int count = 0;
  for (const BlockRange& range : ranges) count += range.count;
  return count;
}

/// What the rank has that has most of it.
template <typename OfRound>
double most_of_a_rank(const Exchange& exchange, const OfRound& of_round) {
  std::vector<double> of_rank(static_cast<std::size_t>(exchange.procs), 0);
  for (std::size_t i = 0; i < exchange.rounds.size(); ++i) {
    of_rank[static_cast<std::size_t>(exchange.rounds[i].rank)] += of_round(i);
  }
  return std::ranges::max(of_rank);
}

}  // namespace

Price price(const Problem& problem, std::span<const Schedule> world) {
  const Exchange exchange = make_exchange(problem, world);
  const double block = 1.0 / exchange.blocks;
  const auto messages = loads_of(exchange, [](const Transfer&) { return 1.0; });
  const auto volumes = loads_of(exchange, [&](const Transfer& message) {
    return count_blocks(exchange.blocks_of(message.carried)) * block;
  });
  const std::vector<double> one(exchange.transfers.size(), 1);
  const std::vector<double> none(exchange.transfers.size(), 0);

  Price price{.rounds = static_cast<int>(std::lround(timeline(exchange, one).end))};
  for (const Load& load : messages) {
    price.at_once = std::max(price.at_once, static_cast<int>(std::max(load.out, load.in)));
  }
  price.critical_path = {.messages = timeline(exchange, durations_of(exchange, messages)).end,
                         .sent = timeline(exchange, durations_of(exchange, volumes)).end,
                         .reduced = timeline(exchange, none, block).end};
  const auto reduced = [&](std::size_t round) {
    return count_blocks(exchange.blocks_of(exchange.rounds[round].reduced));
  };
  price.busiest_rank = {
      .messages = most_of_a_rank(exchange, [&](std::size_t i) { return messages[i].out; }),
      .sent = most_of_a_rank(exchange, [&](std::size_t i) { return volumes[i].out; }),
      .reduced = most_of_a_rank(exchange, reduced) * block};
  return price;
}

}  // namespace breakeven::kernels
