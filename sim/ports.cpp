// SPDX-License-Identifier: BSD-3-Clause
#include "sim/ports.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <utility>

#include "sim/matching.hpp"

namespace breakeven::sim {

namespace {

/// What both ways of running have in common: durations, and what is known of a message.
class PortPrices {
 public:
  PortPrices(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
             const Ports& machine)
      : exchange_{exchange} {
    const std::vector<std::int64_t> bytes = bytes_of_sets(exchange, call);
    reductions_ = reduction_times(bytes, machine.gamma);
    for (const std::int64_t each : bytes) {
      const auto size = static_cast<double>(each);
      durations_.push_back({machine.duration(size, false), machine.duration(size, true)});
    }
  }

  [[nodiscard]] Ticks duration(const kernels::Transfer& message) const {
    const bool one_way = sender(message).receives == 0 && receiver(message).sends == 0;
    return durations_[static_cast<std::size_t>(message.carried)][one_way ? 1 : 0];
  }
  [[nodiscard]] Ticks reduction(const kernels::RankRound& round) const {
    return reductions_[static_cast<std::size_t>(round.reduced)];
  }
  [[nodiscard]] const kernels::RankRound& sender(const kernels::Transfer& message) const {
    return exchange_.rounds[static_cast<std::size_t>(message.source_round)];
  }
  [[nodiscard]] const kernels::RankRound& receiver(const kernels::Transfer& message) const {
    return exchange_.rounds[static_cast<std::size_t>(message.to_round)];
  }

 private:
  const kernels::Exchange& exchange_;
  std::vector<std::array<Ticks, 2>> durations_;  // by set of blocks
  std::vector<Ticks> reductions_;                // by set of blocks
};

/// Where no round has two messages that go the same way, no two want the same port at a time, and
/// the order of the exchange serves.
std::vector<Ticks> run_apart(const kernels::Exchange& exchange, const PortPrices& prices,
                             std::vector<Ticks> entered, Trace* trace) {
  std::vector<Ticks> ends(exchange.transfers.size());
  for (const kernels::Turn turn : exchange.order) {
    const kernels::RankRound& round = exchange.rounds[turn.round()];
    Ticks& now = entered[static_cast<std::size_t>(round.rank)];
    if (!turn.receives()) {
      for (const int index : exchange.sent_in(round)) {
        const auto number = static_cast<std::size_t>(index);
        const kernels::Transfer& message = exchange.transfers[number];
        const Ticks begin = std::max(now, entered[static_cast<std::size_t>(message.to)]);
        ends[number] = begin + prices.duration(message);
        if (trace != nullptr) trace->messages[number] = {begin, ends[number]};
      }
      continue;
    }
    for (const int index : exchange.sent_in(round)) {
      now = std::max(now, ends[static_cast<std::size_t>(index)]);
    }
    for (const int index : exchange.received_in(round)) {
      now = std::max(now, ends[static_cast<std::size_t>(index)]);
    }
    const Ticks reduction = prices.reduction(round);
    if (reduction > 0 && trace != nullptr) {
      trace->reductions[static_cast<std::size_t>(round.rank)].push_back({now, now + reduction});
    }
    now += reduction;
  }
  return entered;
}

/// All that happens at one time happens before a message begins then, so that no order of equal
/// times decides.
class PortRun {
 public:
  PortRun(const kernels::Exchange& exchange, const PortPrices& prices,
          std::span<const Ticks> starts, Trace* trace)
      : exchange_{exchange},
        prices_{prices},
        trace_{trace},
        ranks_(starts.size()),
        posted_(exchange.transfers.size(), 0) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      ranks_[i].round = exchange.first_rounds[i];
      events_.emplace(starts[i], ~static_cast<int>(i));
    }
  }

  std::vector<Ticks> done_times() {
    while (!events_.empty()) {
      now_ = events_.top().first;
      while (!events_.empty() && events_.top().first == now_) {
        const int what = events_.top().second;
        events_.pop();
        if (what < 0) enter(~what);
        if (what >= 0) end(what);
      }
      begin_some();
    }
    std::vector<Ticks> done;
    for (const RankState& each : ranks_) done.push_back(each.entered);
    return done;
  }

 private:
  using Event = std::pair<Ticks, int>;  // the end of a message, or ~ a rank that enters its round
  struct RankState {
    Ticks entered = 0;  // its round
    int round = kernels::RankRound::kNone;
    int to_send = 0;  // messages of the round that didn't begin
    int to_receive = 0;
    int in_flight = 0;     // of the round that didn't end
    int sender = kNobody;  // its number among those that could begin to send, and to receive
    int receiver = kNobody;
    bool sends = false;
    bool receives = false;
    bool in_question = false;
    std::vector<int> ready{};  // messages, from it or to it, that both sides have posted
  };
  static constexpr int kNobody = -1;

  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const kernels::RankRound& round_of(const RankState& state) const {
    return exchange_.rounds[static_cast<std::size_t>(state.round)];
  }
  [[nodiscard]] const kernels::Transfer& transfer(int index) const {
    return exchange_.transfers[static_cast<std::size_t>(index)];
  }

  void ask(int rank) {
    if (!std::exchange(at(rank).in_question, true)) in_question_.push_back(rank);
  }

  /// The rank is in its next round.
  void enter(int rank) {
    RankState& state = at(rank);
    state.entered = now_;
    if (state.round == kernels::RankRound::kNone) return;
    const kernels::RankRound& round = round_of(state);
    state.to_send = round.sends;
    state.to_receive = round.receives;
    state.in_flight = round.sends + round.receives;
    if (state.in_flight == 0) return leave(rank);
    for (const int index : exchange_.sent_in(round)) post(index);
    for (const int index : exchange_.received_in(round)) post(index);
  }

  void post(int index) {
    if (++posted_[static_cast<std::size_t>(index)] < 2) return;
    const kernels::Transfer& message = transfer(index);
    if (prices_.sender(message).sends == 1 && prices_.receiver(message).receives == 1) {
      return begin(index);  // nobody else wants its ports
    }
    at(message.source).ready.push_back(index);
    at(message.to).ready.push_back(index);
    ask(message.source);
  }

  /// Lets begin what can, most for the ports with most to do.
  void begin_some() {
    messages_.clear();
    for (const int rank : in_question_) {
      RankState& state = at(rank);
      state.in_question = false;
      for (const int index : state.ready) {
        const kernels::Transfer& message = transfer(index);
        if (!at(message.source).sends && !at(message.to).receives) {
          messages_.emplace_back(message.source, index);
        }
      }
    }
    const bool one_rank = in_question_.size() == 1;
    in_question_.clear();
    if (messages_.empty()) return;
    if (one_rank && share_a_port()) return take(heaviest_of_port());
    std::ranges::sort(messages_);
    messages_.erase(std::ranges::unique(messages_).begin(), messages_.end());
    edges_.clear();
    to_send_.clear();
    to_receive_.clear();
    const auto number = [](int& own, std::vector<int>& weights, int weight) {
      if (own == kNobody) {
        own = static_cast<int>(weights.size());
        weights.push_back(weight);
      }
      return own;
    };
    for (const auto& [source, index] : messages_) {
      RankState& sender = at(source);
      RankState& receiver = at(transfer(index).to);
      edges_.push_back({number(sender.sender, to_send_, sender.to_send),
                        number(receiver.receiver, to_receive_, receiver.to_receive)});
    }
    for (const auto& [source, index] : messages_) {
      at(source).sender = kNobody;
      at(transfer(index).to).receiver = kNobody;
    }
    for (const int edge : matching_.of(edges_, to_send_, to_receive_)) {
      take(messages_[static_cast<std::size_t>(edge)].second);
    }
  }

  [[nodiscard]] bool share_a_port() const {
    const kernels::Transfer& first = transfer(messages_.front().second);
    return std::ranges::all_of(messages_,
                               [&](const auto& each) { return each.first == first.source; }) ||
           std::ranges::all_of(
               messages_, [&](const auto& each) { return transfer(each.second).to == first.to; });
  }

  /// Which of messages that share a port HeaviestMatching takes, without a graph: the port's first,
  /// unless the other side of one has more to do than the port.
  int heaviest_of_port() {
    const auto& first = std::ranges::min(messages_);
    const RankState& sender = at(first.first);
    const RankState& receiver = at(transfer(first.second).to);
    const bool of_sender = messages_.size() > 1 && messages_[0].first == messages_[1].first;
    const auto weight = [&](const std::pair<int, int>& each) {
      return of_sender ? at(transfer(each.second).to).to_receive : at(each.first).to_send;
    };
    const auto& other = std::ranges::min(
        messages_, {}, [&](const auto& each) { return std::pair{-weight(each), each}; });
    const bool heavier =
        of_sender ? weight(other) > sender.to_send : weight(other) >= receiver.to_receive;
    return heavier ? other.second : first.second;
  }

  void take(int index) {
    for (const int rank : {transfer(index).source, transfer(index).to}) {
      std::erase(at(rank).ready, index);
    }
    begin(index);
  }

  void begin(int index) {
    const kernels::Transfer& message = transfer(index);
    RankState& sender = at(message.source);
    RankState& receiver = at(message.to);
    sender.sends = true;
    receiver.receives = true;
    --sender.to_send;
    --receiver.to_receive;
    const Ticks end = now_ + prices_.duration(message);
    if (trace_ != nullptr) trace_->messages[static_cast<std::size_t>(index)] = {now_, end};
    events_.emplace(end, index);
  }

  void end(int index) {
    const kernels::Transfer& message = transfer(index);
    at(message.source).sends = false;
    at(message.to).receives = false;
    for (const int rank : {message.source, message.to}) {
      if (!at(rank).ready.empty()) ask(rank);
      if (--at(rank).in_flight == 0) leave(rank);
    }
  }

  void leave(int rank) {
    RankState& state = at(rank);
    const Ticks reduction = prices_.reduction(round_of(state));
    state.round = round_of(state).next;
    if (reduction == 0) return enter(rank);
    if (trace_ != nullptr) {
      trace_->reductions[static_cast<std::size_t>(rank)].push_back({now_, now_ + reduction});
    }
    events_.emplace(now_ + reduction, ~rank);
  }

  const kernels::Exchange& exchange_;
  const PortPrices& prices_;
  Trace* trace_;
  Ticks now_ = 0;
  std::vector<RankState> ranks_;
  std::vector<char> posted_;      // of each message: by how many of its two sides
  std::vector<int> in_question_;  // ranks for whom something may begin
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::pair<int, int>> messages_;  // that could begin: by sender, then in its order
  std::vector<Edge> edges_;
  std::vector<int> to_send_;
  std::vector<int> to_receive_;
  HeaviestMatching matching_;
};

}  // namespace

std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const Ports& machine, std::span<const Ticks> starts, Trace* trace) {
  std::vector<Ticks> begins(static_cast<std::size_t>(exchange.procs), 0);
  std::ranges::copy(starts, begins.begin());
  const PortPrices prices{exchange, call, machine};
  const bool apart = std::ranges::all_of(exchange.rounds, [](const kernels::RankRound& round) {
    return round.sends <= 1 && round.receives <= 1;
  });
  if (apart) return run_apart(exchange, prices, std::move(begins), trace);
  return PortRun{exchange, prices, begins, trace}.done_times();
}

}  // namespace breakeven::sim
