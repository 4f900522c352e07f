// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/price.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/timeline.hpp"

namespace breakeven::kernels {

namespace {

int count_blocks(std::span<const BlockRange> ranges) {
  int count = 0;
  for (const BlockRange& range : ranges) count += range.count;
  return count;
}

/// The largest sum of a rank over its rounds.
template <typename OfRound>
double most_of_a_rank(const Exchange& exchange, const OfRound& of_round) {
  std::vector<double> of_rank(static_cast<std::size_t>(exchange.procs), 0);
  for (std::size_t i = 0; i < exchange.rounds.size(); ++i) {
    of_rank[static_cast<std::size_t>(exchange.rounds[i].rank)] += of_round(i);
  }
  return std::ranges::max(of_rank);
}

/// By message how long they take if a rank sends, and receives, one at a time: each is there when
/// all have passed that go the same way in the round of its busier side.
std::vector<double> durations_of(const Exchange& exchange, std::span<const Load> loads) {
  std::vector<double> durations;
  for (const Transfer& message : exchange.transfers) {
    durations.push_back(std::max(loads[static_cast<std::size_t>(message.source_round)].out,
                                 loads[static_cast<std::size_t>(message.to_round)].in));
  }
  return durations;
}

}  // namespace

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
