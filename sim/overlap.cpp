// SPDX-License-Identifier: BSD-3-Clause
#include "sim/overlap.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace breakeven::sim {

namespace {

constexpr Ticks kUnknown = -1;

/// Every rank goes on as far as what it knows of others allows. What it does then follows from
/// that alone, so the order in which ranks take their turns doesn't matter.
class OverlapRun {
 public:
  OverlapRun(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
             const Overlap& machine, std::span<const Ticks> starts)
      : exchange_{exchange},
        call_{call},
        machine_{machine},
        ranks_(exchange.ranks.size()),
        arrivals_(exchange.transfers.size(), kUnknown),
        receiver_there_(exchange.transfers.size(), kUnknown),
        costs_(exchange.transfers.size()) {
    trace_.messages.resize(exchange.transfers.size());
    trace_.reductions.resize(ranks_.size());
    for (std::size_t i = 0; i < starts.size(); ++i) ranks_[i].now = starts[i];
  }

  Trace trace() && {
    for (int rank = 0; rank < exchange_.procs; ++rank) wake(rank);
    while (!awake_.empty()) {
      const int rank = awake_.back();
      awake_.pop_back();
      at(rank).awake = false;
      while (does_round(rank)) {
      }
    }
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      if (at(rank).round < rounds(rank).size()) throw Error("simulation: deadlock");
      trace_.done.push_back(at(rank).now);
    }
    return std::move(trace_);
  }

 private:
  struct RankState {
    Ticks now = 0;  // its processor is free from then on
    Ticks out_free = 0;
    Ticks in_free = 0;
    Ticks held = 0;  // it stays in its round until then
    std::size_t round = 0;
    std::size_t sent = 0;  // of the round's messages
    bool there = false;    // whether the others know that it is in the round
    bool awake = false;
  };

  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<kernels::RoundWork>& rounds(int rank) const {
    return exchange_.ranks[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] bool sends(int rank, int index) const {
    return exchange_.transfers[static_cast<std::size_t>(index)].source == rank;
  }

  void wake(int rank) {
    if (std::exchange(at(rank).awake, true)) return;
    awake_.push_back(rank);
  }

  /// Whether the rank got through its round.
  bool does_round(int rank) {
    RankState& state = at(rank);
    if (state.round == rounds(rank).size()) return false;
    const kernels::RoundWork& work = rounds(rank)[state.round];
    if (!std::exchange(state.there, true)) arrive(rank, work);
    if (!send(rank, work) || !receive(rank, work)) return false;
    state.now = std::max(state.now, state.held);
    const Ticks reduces = reduction_time(work, exchange_, call_, machine_.gamma);
    if (reduces > 0) {
      trace_.reductions[static_cast<std::size_t>(rank)].push_back({state.now, state.now + reduces});
    }
    state.now += reduces;
    ++state.round;
    state.sent = 0;
    state.there = false;
    return true;
  }

  /// Whoever waits for the rank to be in its round may go on.
  void arrive(int rank, const kernels::RoundWork& work) {
    for (const int index : work.transfers) {
      if (sends(rank, index)) continue;
      const auto message = static_cast<std::size_t>(index);
      receiver_there_[message] = at(rank).now;
      wake(exchange_.transfers[message].source);
    }
  }

  bool send(int rank, const kernels::RoundWork& work) {
    RankState& state = at(rank);
    for (; state.sent < work.transfers.size() && sends(rank, work.transfers[state.sent]);
         ++state.sent) {
      const auto message = static_cast<std::size_t>(work.transfers[state.sent]);
      const kernels::Transfer& transfer = exchange_.transfers[message];
      costs_[message] =
          machine_.cost(bytes_of(transfer, exchange_, call_), static_cast<int>(state.sent));
      const MessageCost& cost = costs_[message];
      if (cost.rendezvous && receiver_there_[message] == kUnknown) return false;
      Ticks begin = std::max(state.now, state.out_free);
      if (cost.rendezvous) begin = std::max(begin, receiver_there_[message]);
      if (cost.send_busy > 0) state.now = begin + cost.send_busy;
      state.out_free = begin + cost.send_gap;
      state.held = begin + cost.send_held;
      trace_.messages[message].begin = begin;
      arrivals_[message] = begin + cost.flight;
      wake(transfer.to);
    }
    return true;
  }

  bool receive(int rank, const kernels::RoundWork& work) {
    RankState& state = at(rank);
    received_.clear();
    for (std::size_t i = state.sent; i < work.transfers.size(); ++i) {
      const Ticks arrival = arrivals_[static_cast<std::size_t>(work.transfers[i])];
      if (arrival == kUnknown) return false;
      received_.emplace_back(arrival, i);
    }
    std::ranges::sort(received_);
    for (const auto& [arrival, place] : received_) {
      const auto message = static_cast<std::size_t>(work.transfers[place]);
      const Ticks begin = std::max({arrival, state.now, state.in_free});
      state.now = begin + costs_[message].recv_busy;
      state.in_free = begin + costs_[message].recv_gap;
      trace_.messages[message].end = state.now;
    }
    return true;
  }

  const kernels::Exchange& exchange_;
  const kernels::CollectiveCall& call_;
  const Overlap& machine_;
  std::vector<RankState> ranks_;
  std::vector<Ticks> arrivals_;        // by message, once it is sent
  std::vector<Ticks> receiver_there_;  // by message, once its receiver is in that round
  std::vector<MessageCost> costs_;
  std::vector<int> awake_;
  std::vector<std::pair<Ticks, std::size_t>> received_;
  Trace trace_;
};

}  // namespace

Trace run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
          const Overlap& machine, std::span<const Ticks> starts) {
  return OverlapRun{exchange, call, machine, starts}.trace();
}

}  // namespace breakeven::sim
