// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/lockstep.hpp"

#include <algorithm>
#include <deque>

#include "core/error.hpp"

namespace breakeven {

namespace {

class Lockstep {
 public:
  explicit Lockstep(const Exchange& exchange)
      : exchange_{exchange},
        ranks_(exchange.ranks.size()),
        steps_(exchange.messages.size(), 0),
        posted_(exchange.messages.size(), 0) {}

  std::vector<int> run() && {
    for (int rank = 0; rank < exchange_.procs; ++rank) post(rank);
    while (!ready_.empty()) {
      const auto index = static_cast<std::size_t>(ready_.front());
      ready_.pop_front();
      for (const int rank : {exchange_.messages[index].source, exchange_.messages[index].to}) {
        RankState& state = at(rank);
        state.last = std::max(state.last, steps_[index]);
        if (--state.in_flight > 0) continue;
        state.step = state.last + 1;
        ++state.round;
        post(rank);
      }
    }
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      if (at(rank).round < rounds(rank).size()) throw Error("lockstep: deadlock");
    }
    return std::move(steps_);
  }

 private:
  struct RankState {
    int step = 0;  // in which the rank's current round is posted
    int last = 0;  // in which the latest of its messages so far moves
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
    while (state.round < rounds(rank).size() && rounds(rank)[state.round].messages.empty()) {
      ++state.round;
    }
    if (state.round == rounds(rank).size()) return;
    const auto& messages = rounds(rank)[state.round].messages;
    state.in_flight = messages.size();
    for (const int index : messages) {
      const auto message = static_cast<std::size_t>(index);
      steps_[message] = std::max(steps_[message], state.step);
      if (++posted_[message] == 2) ready_.push_back(index);
    }
  }

  const Exchange& exchange_;
  std::vector<RankState> ranks_;
  std::vector<int> steps_;
  std::vector<int> posted_;  // of each message: by how many of its two sides
  std::deque<int> ready_;
};

}  // namespace

std::vector<int> lockstep(const Exchange& exchange) { return Lockstep{exchange}.run(); }

}  // namespace breakeven
