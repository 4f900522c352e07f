// SPDX-License-Identifier: BSD-3-Clause
#include "sim/two_level.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <utility>

namespace breakeven::sim {

namespace {

/// A message comes to a server. In the order of time, of the sender's rank and of what it posted.
struct Event {
  enum class At : std::uint8_t { bus, card_in, bus_in };
  static constexpr unsigned kMessageBits = 30;
  Ticks time;
  std::uint64_t what;

  Event(Ticks when, int rank, int message, At at)
      : time{when},
        what{((static_cast<std::uint64_t>(rank) << kMessageBits |
               static_cast<std::uint64_t>(message))
              << 2U) |
             static_cast<std::uint64_t>(at)} {}
  [[nodiscard]] At at() const { return static_cast<At>(what & 3U); }
  [[nodiscard]] std::size_t message() const {
    return what >> 2U & ((std::uint64_t{1} << kMessageBits) - 1);
  }
  friend bool operator>(const Event& one, const Event& other) {
    return one.time != other.time ? one.time > other.time : one.what > other.what;
  }
};

/// Nodes hear of each other L_inter late at least. So within a window of that length some nodes, a
/// domain, don't depend on what others do in it: domains are taken through each window in order,
/// with events that fit into a cache and memory that is read along.
class TwoLevelRun {
 public:
  TwoLevelRun(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
              const TwoLevelBySize& machine, const Conditions& conditions, Trace* trace)
      : exchange_{exchange},
        trace_{trace},
        ranks_(static_cast<std::size_t>(exchange.procs)),
        last_bytes_(exchange.transfers.size()) {
    price(bytes_of_sets(exchange, call), machine);
    place(call.problem.placement);
    rounds_.reserve(exchange.rounds.size());
    for (const kernels::RankRound& round : exchange.rounds) {
      rounds_.push_back({round, round.receives + 1});
    }
    for (std::size_t i = 0; i < conditions.starts.size(); ++i) ranks_[i].now = conditions.starts[i];
    if (!conditions.noise.none()) detours_.emplace(conditions.noise, exchange.procs);
  }

  std::vector<Ticks> done_times() {
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      enter(rank, exchange_.first_rounds[static_cast<std::size_t>(rank)]);
    }
    while (!behind_.empty()) {
      const auto [window, domain] = behind_.top();
      behind_.pop();
      Events& events = domains_[domain];
      if (events.empty() || window_of(events.front()) != window) continue;  // it was taken on
      const Ticks until = domains_.size() == 1 ? kNever : (window + 1) * lookahead_;
      current_ = domain;
      fetch_ahead(events, until);
      while (!events.empty() && events.front().time < until) {
        std::ranges::pop_heap(events, std::greater<>{});
        const Event event = events.back();
        events.pop_back();
        serve(event);
      }
      current_ = domains_.size();
      if (!events.empty()) behind_.emplace(window_of(events.front()), domain);
    }
    std::vector<Ticks> done;
    for (const RankState& each : ranks_) done.push_back(each.now);
    return done;
  }

 private:
  using Events = std::vector<Event>;  // a heap
  struct RankState {
    Ticks now = 0;  // its processor is free from then on
    int node = 0;
  };
  struct Round : kernels::RankRound {
    int missing = 0;  // see has_all_but
  };
  struct Node {
    Ticks bus_free = 0;
    Ticks out_free = 0;
    Ticks in_free = 0;
  };
  struct Price {
    Ticks overhead = 0;
    Ticks latency_intra = 0;
    Ticks latency_inter = 0;
    Ticks bus = 0;
    Ticks card = 0;
    Ticks copy = 0;  // no less than the bus
    Ticks reduction = 0;
  };

  static constexpr Ticks kNever = std::numeric_limits<Ticks>::max();

  [[nodiscard]] Ticks window_of(const Event& event) const {
    return domains_.size() == 1 ? 0 : event.time / lookahead_;
  }
  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  Node& node_of(int rank) { return nodes_[static_cast<std::size_t>(at(rank).node)]; }
  [[nodiscard]] const Price& price_of(int set) const {
    return prices_[static_cast<std::size_t>(set)];
  }
  Round& round(int number) { return rounds_[static_cast<std::size_t>(number)]; }

  void price(const std::vector<std::int64_t>& bytes_of_sets, const TwoLevelBySize& machine) {
    lookahead_ = kNever;
    for (const std::int64_t each : bytes_of_sets) {
      const auto bytes = static_cast<double>(each);
      const TwoLevel& of_size = machine(bytes);
      const Ticks bus = ticks_of({bytes * of_size.bus_per_byte.value});
      prices_.push_back({.overhead = ticks_of(of_size.overhead),
                         .latency_intra = ticks_of(of_size.latency_intra),
                         .latency_inter = ticks_of(of_size.latency_inter),
                         .bus = bus,
                         .card = ticks_of({bytes * of_size.card_per_byte.value}),
                         .copy = std::max(bus, ticks_of({bytes * of_size.copy_per_byte.value})),
                         .reduction = ticks_of({bytes * of_size.gamma_per_byte.value})});
      lookahead_ = std::min(lookahead_, prices_.back().latency_inter);
    }
  }

  void place(const kernels::Placement& placement) {
    constexpr int kRanksOfADomain = 64;
    const int nodes = placement.nodes(exchange_.procs);
    nodes_.resize(static_cast<std::size_t>(nodes));
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      if (placement.procs_per_node == 0) continue;
      at(rank).node = placement.mapping.node_of({rank}, nodes, placement.procs_per_node);
    }
    nodes_of_a_domain_ =
        lookahead_ == 0 ? nodes : std::max(1, kRanksOfADomain * nodes / exchange_.procs);
    domains_.resize(static_cast<std::size_t>((nodes - 1) / nodes_of_a_domain_ + 1));
    current_ = domains_.size();
  }

  /// When the rank's processor has worked so long.
  Ticks end_of(int rank, Ticks begin, Ticks work) {
    if (!detours_ || work == 0) return begin + work;
    return detours_->end_of(rank, begin, work);
  }

  /// @param rank  on whose node it happens
  void expect(int rank, const Event& event) {
    const auto domain = static_cast<std::size_t>(at(rank).node / nodes_of_a_domain_);
    Events& events = domains_[domain];
    const bool first = events.empty() || events.front() > event;
    events.push_back(event);
    std::ranges::push_heap(events, std::greater<>{});
    if (first && domain != current_) behind_.emplace(window_of(event), domain);
  }

  void enter(int rank, int number) {
    if (number == kernels::RankRound::kNone) return;
    if (round(number).sends > 0) return send(rank, round(number).first_sent);
    has_all_but(number);
  }

  void send(int rank, int message) {
    RankState& state = at(rank);
    if (trace_ != nullptr) trace_->messages[static_cast<std::size_t>(message)].begin = state.now;
    const int carried = exchange_.transfers[static_cast<std::size_t>(message)].carried;
    const Ticks asks = end_of(rank, state.now, price_of(carried).overhead);
    expect(rank, {asks, rank, message, Event::At::bus});
  }

  /// What the events of a domain lead to lies far apart: asked for together it comes in a fraction
  /// of the time. Each step needs what the one before has brought.
  void fetch_ahead(const Events& events, Ticks until) {
    soon_.clear();
    for (const Event& event : events) {
      if (event.time >= until) continue;
      __builtin_prefetch(&exchange_.transfers[event.message()]);
      __builtin_prefetch(&last_bytes_[event.message()], 1);
      soon_.push_back(static_cast<int>(event.message()));
    }
    const std::size_t messages = soon_.size();
    for (std::size_t i = 0; i < messages; ++i) {
      const kernels::Transfer& message = exchange_.transfers[static_cast<std::size_t>(soon_[i])];
      soon_[i] = message.to_round;
      __builtin_prefetch(&round(message.to_round), 1);
      soon_.push_back(message.source_round);
      __builtin_prefetch(&round(message.source_round), 1);
    }
    for (int& number : soon_) {
      number = std::max(0, round(number).next);
      __builtin_prefetch(&round(number), 1);
    }
    for (const int number : soon_) {
      __builtin_prefetch(exchange_.transfers.data() + round(number).first_sent);
    }
  }

  void serve(const Event& event) {
    switch (event.at()) {
      case Event::At::bus: return serve_by_bus(event);
      case Event::At::card_in: return serve_by_card(event);
      case Event::At::bus_in: return serve_by_receivers_bus(event);
    }
  }

  void serve_by_bus(const Event& event) {
    const kernels::Transfer& message = exchange_.transfers[event.message()];
    const Price& price = price_of(message.carried);
    RankState& sender = at(message.source);
    Node& node = node_of(message.source);
    const Ticks begin = std::max(event.time, node.bus_free);
    node.bus_free = begin + price.bus;
    sender.now = end_of(message.source, begin, price.copy);
    const auto number = static_cast<int>(event.message());
    if (sender.node == at(message.to).node) {
      deliver(event.message(), sender.now + price.latency_intra);
    } else {
      const Ticks leaves = std::max(begin, node.out_free);
      node.out_free = leaves + price.card;
      last_bytes_[event.message()] = std::max(sender.now, node.out_free) + price.latency_inter;
      expect(message.to,
             {leaves + price.latency_inter, message.source, number, Event::At::card_in});
    }
    const kernels::RankRound& sent = round(message.source_round);
    if (number + 1 < sent.first_sent + sent.sends) return send(message.source, number + 1);
    has_all_but(message.source_round);
  }

  void serve_by_card(const Event& event) {
    const kernels::Transfer& message = exchange_.transfers[event.message()];
    Node& node = node_of(message.to);
    const Ticks begin = std::max(event.time, node.in_free);
    node.in_free = begin + price_of(message.carried).card;
    Ticks& last_byte = last_bytes_[event.message()];
    last_byte = std::max(last_byte, node.in_free);
    const Event next{begin, message.source, static_cast<int>(event.message()), Event::At::bus_in};
    if (begin == event.time) return serve_by_receivers_bus(next);
    expect(message.to, next);
  }

  void serve_by_receivers_bus(const Event& event) {
    const kernels::Transfer& message = exchange_.transfers[event.message()];
    Node& node = node_of(message.to);
    node.bus_free = std::max(event.time, node.bus_free) + price_of(message.carried).bus;
    deliver(event.message(), std::max(last_bytes_[event.message()], node.bus_free));
  }

  void deliver(std::size_t message, Ticks time) {
    last_bytes_[message] = time;
    has_all_but(exchange_.transfers[message].to_round);
  }

  /// One of what a round waits for has happened: that its rank has sent, or that a message of it
  /// is known to come.
  void has_all_but(int number) {
    Round& done = round(number);
    if (--done.missing > 0) return;
    receive(done);
    enter(done.rank, done.next);
  }

  void receive(const kernels::RankRound& round) {
    RankState& state = at(round.rank);
    received_.clear();
    const std::span<const int> messages = exchange_.received_in(round);
    for (std::size_t place = 0; place < messages.size(); ++place) {
      received_.emplace_back(last_bytes_[static_cast<std::size_t>(messages[place])], place);
    }
    if (received_.size() > 1) std::ranges::sort(received_);
    for (const auto& [arrival, place] : received_) {
      const auto message = static_cast<std::size_t>(messages[place]);
      const Ticks overhead = price_of(exchange_.transfers[message].carried).overhead;
      state.now = end_of(round.rank, std::max(arrival, state.now), overhead);
      if (trace_ != nullptr) trace_->messages[message].end = state.now;
    }
    const Ticks reduction = price_of(round.reduced).reduction;
    if (reduction == 0) return;
    const Ticks begin = state.now;
    state.now = end_of(round.rank, begin, reduction);
    if (trace_ == nullptr) return;
    trace_->reductions[static_cast<std::size_t>(round.rank)].push_back({begin, state.now});
  }

  const kernels::Exchange& exchange_;
  Trace* trace_;
  Ticks lookahead_ = 0;  // what one node does, another hears of so much later at least
  std::vector<RankState> ranks_;
  std::vector<Node> nodes_;
  std::vector<Price> prices_;      // by set of blocks
  std::vector<Ticks> last_bytes_;  // by message: at its receiver no earlier; then its arrival
  std::vector<Round> rounds_;
  std::vector<int> soon_;        // of what is fetched ahead
  std::vector<Events> domains_;  // what is to happen on some nodes each
  int nodes_of_a_domain_ = 1;
  std::size_t current_ = 0;  // domain, while it is taken on
  std::priority_queue<std::pair<Ticks, std::size_t>, std::vector<std::pair<Ticks, std::size_t>>,
                      std::greater<>>
      behind_;  // domains, by the windows of their first events
  std::vector<std::pair<Ticks, std::size_t>> received_;
  std::optional<Detours> detours_;
};

}  // namespace

std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const TwoLevelBySize& machine, const Conditions& conditions, Trace* trace) {
  return TwoLevelRun{exchange, call, machine, conditions, trace}.done_times();
}

}  // namespace breakeven::sim
