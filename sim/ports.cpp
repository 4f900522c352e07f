// SPDX-License-Identifier: BSD-3-Clause
#include "sim/ports.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "sim/matching.hpp"

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
        posted_(exchange.transfers.size(), 0) {
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
      begin_some();
    }
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      if (at(rank).round < rounds(rank).size()) throw Error("simulation: deadlock");
    }
    for (const RankState& each : ranks_) trace_.done.push_back(each.entered);
    return std::move(trace_);
  }

 private:
  enum class Kind : std::uint8_t { ends, enters };
  using Event = std::tuple<Ticks, Kind, int>;  // of a message, or of a rank
  struct RankState {
    Ticks entered = 0;  // its round
    std::size_t round = 0;
    int to_send = 0;  // messages of the round that didn't begin
    int to_receive = 0;
    int in_flight = 0;  // of the round that didn't end
    bool sends = false;
    bool receives = false;
    std::vector<int> ready{};  // messages, from it or to it, that both sides have posted
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
    if (state.round == rounds(rank).size()) return;
    const kernels::RoundWork& work = rounds(rank)[state.round];
    state.in_flight = static_cast<int>(work.transfers.size());
    if (state.in_flight == 0) return leave(rank);
    state.to_send = static_cast<int>(std::ranges::count_if(
        work.transfers, [&](int index) { return transfer(index).source == rank; }));
    state.to_receive = state.in_flight - state.to_send;
    for (const int index : work.transfers) {
      if (++posted_[static_cast<std::size_t>(index)] < 2) continue;
      at(transfer(index).source).ready.push_back(index);
      at(transfer(index).to).ready.push_back(index);
    }
    in_question_.insert(rank);
  }

  /// Lets begin what can, most for the ports with most to do.
  void begin_some() {
    std::vector<int> messages;
    for (const int rank : std::exchange(in_question_, {})) {
      std::ranges::copy_if(at(rank).ready, std::back_inserter(messages), [&](int index) {
        return !at(transfer(index).source).sends && !at(transfer(index).to).receives;
      });
    }
    std::ranges::sort(messages);
    messages.erase(std::ranges::unique(messages).begin(), messages.end());
    std::vector<Edge> edges;
    std::vector<int> to_send;
    std::vector<int> to_receive;
    std::map<int, int> senders;  // their numbers in the graph, by rank
    std::map<int, int> receivers;
    const auto number = [](std::map<int, int>& numbers, int rank, std::vector<int>& weights,
                           int weight) {
      const auto [found, is_new] = numbers.try_emplace(rank, static_cast<int>(weights.size()));
      if (is_new) weights.push_back(weight);
      return found->second;
    };
    for (const int index : messages) {
      const kernels::Transfer& message = transfer(index);
      edges.push_back({number(senders, message.source, to_send, at(message.source).to_send),
                       number(receivers, message.to, to_receive, at(message.to).to_receive)});
    }
    for (const int edge : heaviest_matching(edges, to_send, to_receive)) {
      begin(messages[static_cast<std::size_t>(edge)]);
    }
  }

  void begin(int index) {
    RankState& sender = at(transfer(index).source);
    RankState& receiver = at(transfer(index).to);
    sender.sends = true;
    receiver.receives = true;
    --sender.to_send;
    --receiver.to_receive;
    for (RankState* const state : {&sender, &receiver}) std::erase(state->ready, index);
    const auto message = static_cast<std::size_t>(index);
    const Ticks end = now_ + machine_.duration(message);
    trace_.messages[message] = {now_, end};
    events_.emplace(end, Kind::ends, index);
  }

  void end(int index) {
    const kernels::Transfer& message = transfer(index);
    at(message.source).sends = false;
    at(message.to).receives = false;
    for (const int rank : {message.source, message.to}) {
      in_question_.insert(rank);
      if (--at(rank).in_flight == 0) leave(rank);
    }
  }

  void leave(int rank) {
    RankState& state = at(rank);
    const Ticks reduces =
        reduction_time(rounds(rank)[state.round], exchange_, call_, machine_.gamma);
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
  std::vector<int> posted_;    // of each message: by how many of its two sides
  std::set<int> in_question_;  // ranks for whom something may begin
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Trace trace_;
};

}  // namespace

Trace run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
          const Ports& machine, std::span<const Ticks> starts) {
  return PortRun{exchange, call, machine, starts}.trace();
}

}  // namespace breakeven::sim
