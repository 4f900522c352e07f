// SPDX-License-Identifier: BSD-3-Clause
#include "sim/ports.hpp"

#include <algorithm>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"

namespace breakeven::sim {

namespace {

/// All that happens at one time happens before a message begins then, so that no order of equal
/// times decides.
class PortRun {
 public:
  PortRun(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
          const Ports& machine, std::span<const Ticks> starts)
      : exchange_{exchange},
        call_{call},
        machine_{machine},
        ranks_(exchange.ranks.size()),
        posted_(exchange.transfers.size(), false) {
    trace_.messages.resize(exchange.transfers.size());
    trace_.reductions.resize(ranks_.size());
    for (int rank = 0; rank < exchange.procs; ++rank) {
      const auto index = static_cast<std::size_t>(rank);
      events_.emplace(index < starts.size() ? starts[index] : 0, Kind::enters, rank);
    }
  }

  Trace trace() && {
    while (!events_.empty()) {
      now_ = std::get<Ticks>(events_.top());
      while (!events_.empty() && std::get<Ticks>(events_.top()) == now_) {
        const auto [time, kind, index] = events_.top();
        events_.pop();
        if (kind == Kind::enters) enter(index);
        if (kind == Kind::ends) end(index);
      }
      for (const int receiver : std::exchange(in_question_, {})) begin_one(receiver);
    }
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      if (at(rank).round < rounds(rank).size()) throw Error("simulation: deadlock");
    }
    for (const RankState& each : ranks_) trace_.done.push_back(each.entered);
    return std::move(trace_);
  }

 private:
  enum class Kind : std::uint8_t { ends, enters };
  using Event = std::tuple<Ticks, Kind, int>;   // of a message, or of a rank
  using Waiting = std::pair<std::size_t, int>;  // a message, behind its place among the receives
  struct RankState {
    Ticks entered = 0;  // its round
    std::size_t round = 0;
    std::size_t in_flight = 0;
    std::size_t sent = 0;  // of the round's messages
    bool receives = false;
    std::set<Waiting> for_it{};  // messages that are next at their senders
  };

  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<kernels::RoundWork>& rounds(int rank) const {
    return exchange_.ranks[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] const kernels::Transfer& transfer(int index) const {
    return exchange_.transfers[static_cast<std::size_t>(index)];
  }

  void enter(int rank) {
    RankState& state = at(rank);
    state.entered = now_;
    state.sent = 0;
    if (state.round == rounds(rank).size()) return;
    const kernels::RoundWork& work = rounds(rank)[state.round];
    state.in_flight = work.transfers.size();
    if (state.in_flight == 0) return leave(rank);
    for (const int index : work.transfers) {
      if (transfer(index).source == rank) continue;
      posted_[static_cast<std::size_t>(index)] = true;
      const RankState& sender = at(transfer(index).source);
      if (next_of(transfer(index).source, sender) == index) offer(index);
    }
    offer_next(rank);
  }

  /// The message that the rank sends next, or -1.
  [[nodiscard]] int next_of(int rank, const RankState& state) const {
    if (state.round == rounds(rank).size() || state.in_flight == 0) return -1;
    const auto& messages = rounds(rank)[state.round].transfers;
    if (state.sent == messages.size()) return -1;
    const int index = messages[state.sent];
    return transfer(index).source == rank ? index : -1;
  }

  void offer_next(int rank) {
    const int index = next_of(rank, at(rank));
    if (index >= 0 && posted_[static_cast<std::size_t>(index)]) offer(index);
  }

  void offer(int index) {
    const kernels::Transfer& message = transfer(index);
    const auto& receives = rounds(message.to)[static_cast<std::size_t>(message.to_round)].transfers;
    const auto place = std::ranges::find(receives, index) - receives.begin();
    at(message.to).for_it.emplace(place, index);
    in_question_.insert(message.to);
  }

  void begin_one(int receiver) {
    RankState& state = at(receiver);
    if (state.receives || state.for_it.empty()) return;
    const int index = state.for_it.begin()->second;
    state.for_it.erase(state.for_it.begin());
    state.receives = true;
    const auto message = static_cast<std::size_t>(index);
    const Ticks end = now_ + machine_.duration(message);
    trace_.messages[message] = {now_, end};
    events_.emplace(end, Kind::ends, index);
  }

  void end(int index) {
    const kernels::Transfer& message = transfer(index);
    at(message.to).receives = false;
    in_question_.insert(message.to);
    ++at(message.source).sent;
    for (const int rank : {message.source, message.to}) {
      if (--at(rank).in_flight == 0) leave(rank);
    }
    if (at(message.source).in_flight > 0) offer_next(message.source);
  }

  void leave(int rank) {
    RankState& state = at(rank);
    const Ticks reduces =
        reduction_time(rounds(rank)[state.round], exchange_, call_, machine_.gamma_per_byte);
    if (reduces > 0) {
      trace_.reductions[static_cast<std::size_t>(rank)].push_back({now_, now_ + reduces});
    }
    ++state.round;
    events_.emplace(now_ + reduces, Kind::enters, rank);
  }

  const kernels::Exchange& exchange_;
  const kernels::CollectiveCall& call_;
  const Ports& machine_;
  Ticks now_ = 0;
  std::vector<RankState> ranks_;
  std::vector<bool> posted_;   // of each message: whether its receiver is in that round
  std::set<int> in_question_;  // receivers for whom something may begin
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Trace trace_;
};

}  // namespace

Trace run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
          const Ports& machine, std::span<const Ticks> starts) {
  return PortRun{exchange, call, machine, starts}.trace();
}

}  // namespace breakeven::sim
