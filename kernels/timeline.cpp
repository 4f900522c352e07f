// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/timeline.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "core/error.hpp"

namespace breakeven::kernels {

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
      const auto index = static_cast<std::size_t>(ready_.top().second);
      ready_.pop();
      transfer(index);
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
    double now = 0;  // when the rank's current round was posted, then when it is done
    std::size_t round = 0;
    std::size_t in_flight = 0;
  };
  using Ready = std::pair<double, int>;  // when a message may begin, and which

  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<RoundWork>& rounds(int rank) const {
    return exchange_.ranks[static_cast<std::size_t>(rank)];
  }

  /// Posts the rank's rounds up to the first one with messages.
  void post(int rank) {
    RankState& state = at(rank);
    for (; state.round < rounds(rank).size(); ++state.round) {
      const RoundWork& work = rounds(rank)[state.round];
      state.in_flight = work.transfers.size();
      for (const int index : work.transfers) {
        const auto message = static_cast<std::size_t>(index);
        begins_[message] = std::max(begins_[message], state.now);
        if (++posted_[message] == 2) ready_.emplace(begins_[message], index);
      }
      if (state.in_flight > 0) return;
      reduce(state, work);
    }
  }

  void transfer(std::size_t index) {
    const Transfer& message = exchange_.transfers[index];
    const double end = begins_[index] + durations_[index];
    for (const int rank : {message.source, message.to}) {
      RankState& state = at(rank);
      state.now = std::max(state.now, end);
      if (--state.in_flight > 0) continue;
      reduce(state, rounds(rank)[state.round]);
      ++state.round;
      post(rank);
    }
  }

  void reduce(RankState& state, const RoundWork& work) const {
    for (const BlockRange blocks : work.reduced) state.now += blocks.count * per_reduced_block_;
  }

  const Exchange& exchange_;
  std::span<const double> durations_;
  double per_reduced_block_;
  std::vector<RankState> ranks_;
  std::vector<double> begins_;
  std::vector<int> posted_;  // of each message: by how many of its two sides
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

}  // namespace

Timeline timeline(const Exchange& exchange, std::span<const double> durations,
                  double per_reduced_block) {
  return Walk{exchange, durations, per_reduced_block}.run();
}

}  // namespace breakeven::kernels
