// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/goal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numeric>

namespace breakeven::kernels {

namespace {

std::int64_t total_bytes(std::span<const BlockRange> blocks, const Exchange& exchange,
                         const CollectiveCall& call) {
  std::int64_t sum = 0;
  for (const BlockRange& range : blocks) sum += bytes_of(call, exchange.blocks, range).value;
  return sum;
}

std::string calc(Seconds time) {
  constexpr double kNanoseconds = 1e9;
  return fmt::format("calc {}", std::llround(time.value * kNanoseconds));
}

}  // namespace

/// The operations that follow require all that were written since the last call.
void Goal::RankText::then(std::size_t operations_that_follow) {
  if (current.empty()) return;
  before = std::exchange(current, {});
  if (before.size() < 2 || operations_that_follow < 2) return;
  // One operation stands for all, or a line would follow for each pair.
  add("calc 0");
  before = std::exchange(current, {});
}

void Goal::RankText::add(const std::string& operation) {
  const int label = ++last;
  fmt::format_to(std::back_inserter(text), "l{}: {}\n", label, operation);
  for (const int required : before)
    fmt::format_to(std::back_inserter(text), "l{} requires l{}\n", label, required);
  current.push_back(label);
}

Goal::Goal(int procs) : ranks_(static_cast<std::size_t>(procs)) {}

void Goal::compute(int rank, Seconds time) {
  RankText& operations = ranks_[static_cast<std::size_t>(rank)];
  operations.then(1);
  operations.add(calc(time));
}

std::vector<int> Goal::tags_of(const Exchange& exchange, std::span<const int> ranks) {
  std::vector<int> tags;
  for (const Transfer& message : exchange.transfers) {
    tags.push_back(next_tags_[{ranks[static_cast<std::size_t>(message.source)],
                               ranks[static_cast<std::size_t>(message.to)]}]++);
  }
  return tags;
}

void Goal::call(const Exchange& exchange, const CollectiveCall& call, std::span<const int> ranks,
                const std::function<Seconds(double bytes)>& reduction) {
  const std::vector<int> tags = tags_of(exchange, ranks);
  const auto bytes_of_set = [&](int set) {
    return total_bytes(exchange.blocks_of(set), exchange, call);
  };
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    RankText& operations = ranks_[static_cast<std::size_t>(ranks[rank])];
    for (int at = exchange.first_rounds[rank]; at != RankRound::kNone;) {
      const RankRound& round = exchange.rounds[static_cast<std::size_t>(at)];
      at = round.next;
      operations.then(static_cast<std::size_t>(round.sends + round.receives));
      const auto add = [&](const char* what, int index, const char* where, int other) {
        const int carried = exchange.transfers[static_cast<std::size_t>(index)].carried;
        operations.add(fmt::format("{} {}b {} {} tag {}", what, bytes_of_set(carried), where,
                                   ranks[static_cast<std::size_t>(other)],
                                   tags[static_cast<std::size_t>(index)]));
      };
      for (const int index : exchange.sent_in(round))
        add("send", index, "to", exchange.transfers[static_cast<std::size_t>(index)].to);
      for (const int index : exchange.received_in(round))
        add("recv", index, "from", exchange.transfers[static_cast<std::size_t>(index)].source);
      const std::int64_t reduced = bytes_of_set(round.reduced);
      if (reduced == 0) continue;
      operations.then(1);
      operations.add(calc(reduction(static_cast<double>(reduced))));
    }
  }
}

std::string Goal::text() const {
  std::string text = fmt::format("num_ranks {}\n", ranks_.size());
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    fmt::format_to(std::back_inserter(text), "\nrank {} {{\n{}}}\n", rank, ranks_[rank].text);
  return text;
}

std::string to_goal(const Exchange& exchange, const CollectiveCall& call,
                    const std::function<Seconds(double bytes)>& reduction) {
  std::vector<int> ranks(static_cast<std::size_t>(exchange.procs));
  std::iota(ranks.begin(), ranks.end(), 0);
  Goal goal{exchange.procs};
  goal.call(exchange, call, ranks, reduction);
  return goal.text();
}

}  // namespace breakeven::kernels
