// SPDX-License-Identifier: BSD-3-Clause
#include "sim/components.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace breakeven::sim {

Components::Components(const kernels::Exchange& exchange)
    : exchange_{exchange}, members_(exchange.rounds.size()) {
  rounds_.reserve(exchange.rounds.size());
  const auto transfer = [&](int index) -> const kernels::Transfer& {
    return exchange.transfers[static_cast<std::size_t>(index)];
  };
  for (int first = 0; first < static_cast<int>(exchange.rounds.size()); ++first) {
    if (member(first).component != kNone) continue;
    std::size_t next = rounds_.size();
    for (add(first); next < rounds_.size(); ++next) {
      const kernels::RankRound& own = round(rounds_[next]);
      for (const int index : exchange.sent_in(own)) add(transfer(index).to_round);
      for (const int index : exchange.received_in(own)) add(transfer(index).source_round);
    }
    end_component();
  }
}

void Components::unite(std::span<const int> rounds) {
  for (const int each : rounds) member(each).component = kNone;
  for (const int each : rounds) add(each);
  end_component();
}

void Components::add(int round) {
  if (member(round).component != kNone) return;
  member(round).component = count();
  rounds_.push_back(round);
}

void Components::end_component() {
  ends_.push_back(rounds_.size());
  const std::size_t begin = ends_.size() == 1 ? 0 : ends_[ends_.size() - 2];
  const auto added = std::span{rounds_}.subspan(begin);
  std::ranges::sort(added, {}, [&](int each) { return std::pair{round(each).rank, each}; });
  for (std::size_t place = 0; place < added.size(); ++place) {
    member(added[place]).place = static_cast<int>(place);
  }
}

}  // namespace breakeven::sim
