// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/min_heap.hpp"
#include "sim/ticks.hpp"

namespace breakeven::sim {

/// Serves what happens on nodes that hear of each other a while late at least. Within a window of
/// that length a node does not depend on what others do in it, so nodes are taken through each
/// window one after the other, with few events each. Some that follow each other, a domain, are
/// woken together, so that the memory that their events need can be fetched at once.
/// @tparam Event  has a `time`; of two the greater is served later
template <typename Event>
class Windows {
 public:
  /// @param lookahead  how late nodes hear of each other; 0: events of all are served in one order
  Windows(std::size_t nodes, std::size_t nodes_of_a_domain, Ticks lookahead)
      : together_{nodes == 1 || lookahead == 0},
        lookahead_{together_ ? kNever : lookahead},
        nodes_of_a_domain_{together_ ? 1 : std::max<std::size_t>(nodes_of_a_domain, 1)},
        waiting_(together_ ? 1 : nodes),
        windows_((waiting_.size() - 1) / nodes_of_a_domain_ + 1, kNever) {}

  /// Whether `current` is no single node.
  [[nodiscard]] bool together() const { return together_; }
  /// The node whose events are being served.
  [[nodiscard]] std::size_t current() const { return current_; }

  /// @param event  not before the one that is being served, and on another node not before the
  ///               window ends
  void expect(std::size_t node, const Event& event) {
    const std::size_t queue = together_ ? 0 : node;
    if (queue == current_ && event.time < until_) return soon_.push(event);
    waiting_[queue].push_back(event);
    wake(queue / nodes_of_a_domain_, event.time);
  }

  /// Calls `serve` with each event, and before, with the events of a domain's window and its end,
  /// `fetch`.
  template <typename Fetch, typename Serve>
  void run(const Fetch& fetch, const Serve& serve) {
    while (!behind_.empty()) {
      const auto [window, domain] = pop_from(behind_);
      if (windows_[domain] != window) continue;
      windows_[domain] = kNever;
      until_ = together_ ? kNever : window + lookahead_;
      const std::size_t begin = domain * nodes_of_a_domain_;
      const std::size_t end = std::min(begin + nodes_of_a_domain_, waiting_.size());
      fetch(std::span{waiting_}.subspan(begin, end - begin), until_);
      for (current_ = begin; current_ < end; ++current_) {
        take(domain);
        while (!soon_.empty()) serve(pop_from(soon_));
      }
      current_ = kNone;
    }
  }

 private:
  static constexpr Ticks kNever = std::numeric_limits<Ticks>::max();
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  void wake(std::size_t domain, Ticks time) {
    if (time >= windows_[domain]) return;
    windows_[domain] = time - time % lookahead_;
    behind_.push({windows_[domain], domain});
  }

  void take(std::size_t domain) {
    std::vector<Event>& waiting = waiting_[current_];
    std::size_t later = 0;
    for (const Event& event : waiting) {
      if (event.time < until_) {
        soon_.push(event);
      } else {
        waiting[later++] = event;
        wake(domain, event.time);
      }
    }
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(later), waiting.end());
  }

  bool together_;
  Ticks lookahead_;
  std::size_t nodes_of_a_domain_;
  std::vector<std::vector<Event>> waiting_;  // by node
  std::vector<Ticks> windows_;               // by domain: of its first event
  std::size_t current_ = kNone;
  Ticks until_ = 0;
  MinHeap<Event> soon_;                            // of the current node, before that time
  MinHeap<std::pair<Ticks, std::size_t>> behind_;  // domains by their windows
};

}  // namespace breakeven::sim
