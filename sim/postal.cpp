// SPDX-License-Identifier: BSD-3-Clause
#include "sim/postal.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "core/error.hpp"

namespace breakeven {

namespace {

class Simulation {
 public:
  Simulation(const Exchange& exchange, const CollectiveCall& call, const Postal& machine)
      : exchange_{exchange},
        call_{call},
        machine_{machine},
        ranks_(exchange.ranks.size()),
        ready_at_(exchange.transfers.size(), 0),
        posted_(exchange.transfers.size(), 0) {}

  Seconds run() {
    for (int rank = 0; rank < exchange_.procs; ++rank) post(rank);
    while (!ready_.empty()) {
      const auto [time, index] = ready_.top();
      ready_.pop();
      transfer(index, time);
    }
    double last = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].round != exchange_.ranks[rank].size()) throw Error("postal: deadlock");
      last = std::max(last, ranks_[rank].now);
    }
    return {last};
  }

 private:
  struct RankState {
    double now = 0;       // when the rank's current round was posted, then when it is done
    double out_free = 0;  // when its ports are free again
    double in_free = 0;
    std::size_t round = 0;
    std::size_t in_flight = 0;
  };
  using Ready = std::pair<double, int>;  // when a message may begin, and which

  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  [[nodiscard]] double bytes(BlockRange blocks) const {
    const std::int64_t elements =
        block_begin(call_, exchange_.blocks, blocks.first + blocks.count) -
        block_begin(call_, exchange_.blocks, blocks.first);
    return static_cast<double>((elements * extent(call_.datatype)).value);
  }

  /// Posts the rank's rounds up to the first one that has to wait for messages.
  void post(int rank) {
    const auto& rounds = exchange_.ranks[static_cast<std::size_t>(rank)];
    RankState& state = at(rank);
    for (; state.round < rounds.size(); ++state.round) {
      const RoundWork& work = rounds[state.round];
      state.in_flight = work.transfers.size();
      for (const int index : work.transfers) {
        const auto message = static_cast<std::size_t>(index);
        ready_at_[message] = std::max(ready_at_[message], state.now);
        if (++posted_[message] == 2) ready_.emplace(ready_at_[message], index);
      }
      if (state.in_flight > 0) return;
      compute(state, work);
    }
  }

  void transfer(int index, double ready) {
    const Transfer& message = exchange_.transfers[static_cast<std::size_t>(index)];
    double& out = at(message.source).out_free;
    double& in = at(message.to).in_free;
    const double begin = std::max({ready, out, in});
    double end = begin + machine_.alpha.value;
    for (const BlockRange blocks : message.blocks)
      end += bytes(blocks) * machine_.beta_per_byte.value;
    out = end;
    in = end;
    for (const int rank : {message.source, message.to}) {
      RankState& state = at(rank);
      state.now = std::max(state.now, end);
      if (--state.in_flight > 0) continue;
      compute(state, exchange_.ranks[static_cast<std::size_t>(rank)][state.round]);
      ++state.round;
      post(rank);
    }
  }

  void compute(RankState& state, const RoundWork& work) const {
    for (const BlockRange blocks : work.reduced) {
      state.now += bytes(blocks) * machine_.gamma_per_byte.value;
    }
  }

  const Exchange& exchange_;
  const CollectiveCall& call_;
  const Postal& machine_;
  std::vector<RankState> ranks_;
  std::vector<double> ready_at_;  // of each message: when the later side posted it
  std::vector<int> posted_;       // of each message: by how many of its two sides
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

}  // namespace

Seconds finish_time(const Exchange& exchange, const CollectiveCall& call, const Postal& machine) {
  return Simulation{exchange, call, machine}.run();
}

}  // namespace breakeven
