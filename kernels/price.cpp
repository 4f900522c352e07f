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

double most_sent(const std::vector<std::vector<Load>>& loads) {
  double most = 0;
  for (const auto& rounds : loads) {
    double sent = 0;
    for (const Load& round : rounds) sent += round.out;
    most = std::max(most, sent);
  }
  return most;
}

double most_reduced(const Exchange& exchange) {
  double most = 0;
  for (const auto& rounds : exchange.ranks) {
    int reduced = 0;
    for (const RoundWork& round : rounds) reduced += count_blocks(round.reduced);
    most = std::max<double>(most, reduced);
  }
  return most;
}

}  // namespace

Price price(const Problem& problem, std::span<const Schedule> world) {
  const Exchange exchange = make_exchange(problem, world);
  const double block = 1.0 / exchange.blocks;
  const auto messages = loads_of(exchange, [](const Transfer&) { return 1.0; });
  const auto volumes = loads_of(
      exchange, [&](const Transfer& message) { return count_blocks(message.blocks) * block; });
  const std::vector<double> one(exchange.transfers.size(), 1);
  const std::vector<double> none(exchange.transfers.size(), 0);

  Price price{.rounds = static_cast<int>(std::lround(timeline(exchange, one).end))};
  for (const auto& rounds : messages) {
    for (const Load& load : rounds) {
      price.at_once = std::max(price.at_once, static_cast<int>(std::max(load.out, load.in)));
    }
  }
  price.critical_path = {.messages = timeline(exchange, durations_of(exchange, messages)).end,
                         .sent = timeline(exchange, durations_of(exchange, volumes)).end,
                         .reduced = timeline(exchange, none, block).end};
  price.busiest_rank = {.messages = most_sent(messages),
                        .sent = most_sent(volumes),
                        .reduced = most_reduced(exchange) * block};
  return price;
}

}  // namespace breakeven::kernels
