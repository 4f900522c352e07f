// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/goal.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace breakeven::kernels {

namespace {

/// The tag of each message.
std::vector<int> tags_of(const Exchange& exchange) {
  std::map<std::pair<int, int>, int> next;  // by source and destination
  std::vector<int> tags;
  for (const Transfer& message : exchange.transfers) {
    tags.push_back(next[{message.source, message.to}]++);
  }
  return tags;
}

std::int64_t total_bytes(std::span<const BlockRange> blocks, const Exchange& exchange,
                         const CollectiveCall& call) {
  std::int64_t sum = 0;
  for (const BlockRange& range : blocks) sum += bytes_of(call, exchange.blocks, range).value;
  return sum;
}

/// Writes one rank's operations, labelled l1, l2 ...
class RankText {
 public:
  explicit RankText(std::string& text) : text_{text} {}

  /// The operations that follow require all that were written since the last call.
  void then(std::size_t operations_that_follow) {
    if (current_.empty()) return;
    before_ = std::exchange(current_, {});
    if (before_.size() < 2 || operations_that_follow < 2) return;
    // One operation stands for all, or a line would follow for each pair.
    add("calc 0");
    before_ = std::exchange(current_, {});
  }

  void add(const std::string& operation) {
    const int label = ++last_;
    fmt::format_to(std::back_inserter(text_), "l{}: {}\n", label, operation);
    for (const int required : before_) {
      fmt::format_to(std::back_inserter(text_), "l{} requires l{}\n", label, required);
    }
    current_.push_back(label);
  }

 private:
  std::string& text_;
  int last_ = 0;
  std::vector<int> before_{};
  std::vector<int> current_{};
};

}  // namespace

std::string to_goal(const Exchange& exchange, const CollectiveCall& call,
                    const std::function<Seconds(double bytes)>& reduction) {
  constexpr double kNanoseconds = 1e9;
  const std::vector<int> tags = tags_of(exchange);
  const auto bytes_of_set = [&](int set) {
    return total_bytes(exchange.blocks_of(set), exchange, call);
  };
  std::string text = fmt::format("num_ranks {}\n", exchange.procs);
  for (int rank = 0; rank < exchange.procs; ++rank) {
    fmt::format_to(std::back_inserter(text), "\nrank {} {{\n", rank);
    RankText operations{text};
    for (int at = exchange.first_rounds[static_cast<std::size_t>(rank)]; at != RankRound::kNone;) {
      const RankRound& round = exchange.rounds[static_cast<std::size_t>(at)];
      at = round.next;
      operations.then(static_cast<std::size_t>(round.sends + round.receives));
      for (const int index : exchange.sent_in(round)) {
        const Transfer& message = exchange.transfers[static_cast<std::size_t>(index)];
        operations.add(fmt::format("send {}b to {} tag {}", bytes_of_set(message.carried),
                                   message.to, tags[static_cast<std::size_t>(index)]));
      }
      for (const int index : exchange.received_in(round)) {
        const Transfer& message = exchange.transfers[static_cast<std::size_t>(index)];
        operations.add(fmt::format("recv {}b from {} tag {}", bytes_of_set(message.carried),
                                   message.source, tags[static_cast<std::size_t>(index)]));
      }
      const std::int64_t reduced = bytes_of_set(round.reduced);
      if (reduced == 0) continue;
      operations.then(1);
      const double time_s = reduction(static_cast<double>(reduced)).value;
      operations.add(fmt::format("calc {}", std::llround(time_s * kNanoseconds)));
    }
    text += "}\n";
  }
  return text;
}

}  // namespace breakeven::kernels
