// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/timeline.hpp"

#include <algorithm>
#include <deque>

#include "core/error.hpp"

namespace breakeven {

namespace {

class Walk {
 public:
  Walk(const Exchange& exchange, std::span<const double> durations, double per_reduced_block)
      : exchange_{exchange},
        durations_{durations},
        per_reduced_block_{per_reduced_block},
        ranks_(exchange.ranks.size()),
        begins_(exchange.transfers.size(), 0),
        posted_(exchange.transfers.size(), 0) {}

  Timeline run() && {
    for (int rank = 0; rank < exchange_.procs; ++rank) post(rank);
    while (!ready_.empty()) {
      const auto index = static_cast<std::size_t>(ready_.front());
      ready_.pop_front();
      for (const int rank : {exchange_.transfers[index].source, exchange_.transfers[index].to}) {
        RankState& state = at(rank);
        state.last_end = std::max(state.last_end, begins_[index] + durations_[index]);
        if (--state.in_flight == 0) finish_round(rank);
      }
    }
    double end = 0;
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      if (at(rank).round < rounds(rank).size()) throw Error("timeline: deadlock");
      end = std::max(end, at(rank).now);
    }
    return {.begins = std::move(begins_), .end = end};
  }

 private:
  struct RankState {
    double now = 0;       // when the rank's current round was posted
    double last_end = 0;  // of its messages so far
    std::size_t round = 0;
    std::size_t in_flight = 0;
  };
  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<RoundWork>& rounds(int rank) const {
    return exchange_.ranks[static_cast<std::size_t>(rank)];
  }

  /// Posts the rank's rounds up to the first one with messages.
  void post(int rank) {
    RankState& state = at(rank);
    if (state.round == rounds(rank).size()) return;
    const auto& messages = rounds(rank)[state.round].transfers;
    if (messages.empty()) return finish_round(rank);
    state.in_flight = messages.size();
    for (const int index : messages) {
      const auto message = static_cast<std::size_t>(index);
      begins_[message] = std::max(begins_[message], state.now);
      if (++posted_[message] == 2) ready_.push_back(index);
    }
  }

  void finish_round(int rank) {
    RankState& state = at(rank);
    state.now = std::max(state.now, state.last_end);
    for (const BlockRange blocks : rounds(rank)[state.round].reduced) {
      state.now += blocks.count * per_reduced_block_;
    }
    ++state.round;
    post(rank);
  }

  const Exchange& exchange_;
  std::span<const double> durations_;
  double per_reduced_block_;
  std::vector<RankState> ranks_;
  std::vector<double> begins_;
  std::vector<int> posted_;  // of each message: by how many of its two sides
  std::deque<int> ready_;
};

}  // namespace

Timeline timeline(const Exchange& exchange, std::span<const double> durations,
                  double per_reduced_block) {
  return Walk{exchange, durations, per_reduced_block}.run();
}

}  // namespace breakeven
