// SPDX-License-Identifier: BSD-3-Clause
#include "sim/two_level.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "sim/windows.hpp"

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
  [[nodiscard]] int rank() const { return static_cast<int>(what >> (kMessageBits + 2U)); }
  [[nodiscard]] std::size_t message() const {
    return what >> 2U & ((std::uint64_t{1} << kMessageBits) - 1);
  }
  friend bool operator>(const Event& one, const Event& other) {
    return one.time != other.time ? one.time > other.time : one.what > other.what;
  }
};

class TwoLevelRun {
 public:
  TwoLevelRun(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
              const TwoLevelBySize& machine, const Conditions& conditions, Trace* trace)
      : exchange_{exchange},
        trace_{trace},
        ranks_(static_cast<std::size_t>(exchange.procs)),
        nodes_(static_cast<std::size_t>(call.problem.placement.nodes(exchange.procs))),
        prices_{prices_of(bytes_of_sets(exchange, call), machine)},
        rendezvous_{std::ranges::any_of(prices_, &Price::waits)},
        flights_(exchange.transfers.size()),
        windows_{nodes_.size(), kRanksOfADomain * nodes_.size() / ranks_.size(), lookahead()} {
    for (int rank = 0; rank < exchange.procs; ++rank) {
      node_of_.push_back(call.problem.placement.node_of({rank}, exchange.procs));
    }
    missing_.reserve(exchange.rounds.size());
    for (const kernels::RankRound& round : exchange.rounds) missing_.push_back(round.receives + 1);
    for (const kernels::Transfer& each : exchange.transfers) {
      if (rendezvous_ && price_of(each.carried).waits)
        ++missing_[static_cast<std::size_t>(each.source_round)];
    }
    if (rendezvous_) entered_.resize(ranks_.size());
    for (std::size_t i = 0; i < conditions.starts.size(); ++i) ranks_[i].now = conditions.starts[i];
    if (!conditions.noise.none()) detours_.emplace(conditions.noise, exchange.procs);
  }

  std::vector<Ticks> done_times() {
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      enter(exchange_.first_rounds[static_cast<std::size_t>(rank)]);
    }
    windows_.run([this](auto waiting, Ticks until) { fetch_ahead(waiting, until); },
                 [this](const Event& event) { serve(event); });
    std::vector<Ticks> done;
    for (const RankState& each : ranks_) done.push_back(each.now);
    return done;
  }

 private:
  /// A message that has left its sender: all that its receiver needs of it.
  struct Flight {
    Ticks last_byte = 0;  // at its receiver no earlier; then its arrival
    int to_round = 0;
    int carried = 0;
  };
  struct RankState {
    Ticks now = 0;  // its processor is free from then on
    int round = kernels::RankRound::kNone;
    int end_of_sends = 0;  // messages of the round
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
    bool waits = false;  // for its receiver
  };

  static constexpr std::size_t kRanksOfADomain = 128;
  static constexpr Ticks kWaiting = -1;  // in place of a flight's last byte

  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::size_t node_of(int rank) const {
    return static_cast<std::size_t>(node_of_[static_cast<std::size_t>(rank)]);
  }
  [[nodiscard]] const Price& price_of(int set) const {
    return prices_[static_cast<std::size_t>(set)];
  }
  [[nodiscard]] const kernels::RankRound& round(int number) const {
    return exchange_.rounds[static_cast<std::size_t>(number)];
  }

  static std::vector<Price> prices_of(const std::vector<std::int64_t>& bytes_of_sets,
                                      const TwoLevelBySize& machine) {
    std::vector<Price> prices;
    for (const std::int64_t each : bytes_of_sets) {
      const auto bytes = static_cast<double>(each);
      const TwoLevel& of_size = machine(bytes);
      const Ticks bus = ticks_of({bytes * of_size.bus_per_byte.value});
      prices.push_back({.overhead = ticks_of(of_size.overhead),
                        .latency_intra = ticks_of(of_size.latency_intra),
                        .latency_inter = ticks_of(of_size.latency_inter),
                        .bus = bus,
                        .card = ticks_of({bytes * of_size.card_per_byte.value}),
                        .copy = std::max(bus, ticks_of({bytes * of_size.copy_per_byte.value})),
                        .reduction = ticks_of({bytes * of_size.gamma_per_byte.value}),
                        .waits = of_size.S > 0 && bytes > of_size.S});
    }
    return prices;
  }

  /// Nodes hear of each other L_inter late at least; but a rank that waits for another hears at
  /// once.
  [[nodiscard]] Ticks lookahead() const {
    if (rendezvous_) return 0;
    return std::ranges::min_element(prices_, {}, &Price::latency_inter)->latency_inter;
  }

  /// When the rank's processor has worked this long.
  Ticks end_of(int rank, Ticks begin, Ticks work) {
    if (!detours_ || work == 0) return begin + work;
    return detours_->end_of(rank, begin, work);
  }

  void enter(int number) {
    if (number == kernels::RankRound::kNone) return;
    const kernels::RankRound& next = round(number);
    at(next.rank).round = number;
    at(next.rank).end_of_sends = next.first_sent + next.sends;
    if (rendezvous_) admit(next);
    if (next.sends > 0) return send(next.rank, next.first_sent);
    meet_one(number);
  }

  /// Senders that waited for the rank to be in this round go on.
  void admit(const kernels::RankRound& round) {
    entered_[static_cast<std::size_t>(round.rank)] = at(round.rank).now;
    for (const int message : exchange_.received_in(round)) {
      Flight& flight = flights_[static_cast<std::size_t>(message)];
      if (flight.last_byte != kWaiting) continue;
      flight.last_byte = 0;
      send(exchange_.transfers[static_cast<std::size_t>(message)].source, message);
    }
  }

  void send(int rank, int message) {
    RankState& state = at(rank);
    const kernels::Transfer& sent = exchange_.transfers[static_cast<std::size_t>(message)];
    if (rendezvous_ && price_of(sent.carried).waits) {
      if (at(sent.to).round != sent.to_round) {
        flights_[static_cast<std::size_t>(message)].last_byte = kWaiting;
        return;
      }
      state.now = std::max(state.now, entered_[static_cast<std::size_t>(sent.to)]);
    }
    if (trace_ != nullptr) trace_->messages[static_cast<std::size_t>(message)].begin = state.now;
    const Ticks asks = end_of(rank, state.now, price_of(sent.carried).overhead);
    windows_.expect(node_of(rank), {asks, rank, message, Event::At::bus});
  }

  /// The data that a domain's events lead to lie far apart in memory: fetched together they take a
  /// run of many ranks a quarter to a third less time. Each step needs the data of the one before.
  void fetch_ahead(std::span<const std::vector<Event>> waiting, Ticks until) {
    arriving_.clear();
    for (const std::vector<Event>& of_node : waiting) {
      for (const Event& event : of_node) {
        if (event.time >= until) continue;
        if (event.at() == Event::At::bus) {
          __builtin_prefetch(&exchange_.transfers[event.message()]);
        } else {
          __builtin_prefetch(&flights_[event.message()], 1);
          arriving_.push_back(static_cast<int>(event.message()));
        }
      }
    }
    for (int& number : arriving_) {
      number = flights_[static_cast<std::size_t>(number)].to_round;
      __builtin_prefetch(&round(number));
      __builtin_prefetch(&missing_[static_cast<std::size_t>(number)], 1);
    }
    for (int& number : arriving_) {
      __builtin_prefetch(exchange_.received.data() + round(number).first_received);
      number = std::max(0, round(number).next);
      __builtin_prefetch(&round(number));
    }
    for (const int number : arriving_) {
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
    const std::size_t source = node_of(message.source);
    Node& node = nodes_[source];
    const Ticks begin = std::max(event.time, node.bus_free);
    node.bus_free = begin + price.bus;
    sender.now = end_of(message.source, begin, price.copy);
    const auto number = static_cast<int>(event.message());
    Flight& flight = flights_[event.message()];
    flight = {.last_byte = sender.now + price.latency_intra,
              .to_round = message.to_round,
              .carried = message.carried};
    if (node_of(message.to) == source) {
      arrive(event.message(), flight);
    } else {
      const Ticks leaves = std::max(begin, node.out_free);
      node.out_free = leaves + price.card;
      flight.last_byte = std::max(sender.now, node.out_free) + price.latency_inter;
      windows_.expect(node_of(message.to),
                      {leaves + price.latency_inter, message.source, number, Event::At::card_in});
    }
    if (number + 1 < sender.end_of_sends) return send(message.source, number + 1);
    meet_one(sender.round);
  }

  void serve_by_card(const Event& event) {
    Flight& flight = flights_[event.message()];
    Node& node = receiving_node(flight);
    const Ticks begin = std::max(event.time, node.in_free);
    node.in_free = begin + price_of(flight.carried).card;
    flight.last_byte = std::max(flight.last_byte, node.in_free);
    const Event next{begin, event.rank(), static_cast<int>(event.message()), Event::At::bus_in};
    if (begin == event.time) return serve_by_receivers_bus(next);
    windows_.expect(windows_.current(), next);
  }

  void serve_by_receivers_bus(const Event& event) {
    Flight& flight = flights_[event.message()];
    Node& node = receiving_node(flight);
    node.bus_free = std::max(event.time, node.bus_free) + price_of(flight.carried).bus;
    flight.last_byte = std::max(flight.last_byte, node.bus_free);
    arrive(event.message(), flight);
  }

  void arrive(std::size_t message, const Flight& flight) {
    meet_one(flight.to_round);
    if (price_of(flight.carried).waits) meet_one(exchange_.transfers[message].source_round);
  }

  Node& receiving_node(const Flight& flight) {
    return nodes_[windows_.together() ? node_of(round(flight.to_round).rank) : windows_.current()];
  }

  /// One of a round's conditions is met: its rank has sent, or a message of it is known to come.
  void meet_one(int number) {
    if (--missing_[static_cast<std::size_t>(number)] > 0) return;
    const kernels::RankRound& done = round(number);
    receive(done);
    enter(done.next);
  }

  void await_receivers(const kernels::RankRound& round) {
    RankState& state = at(round.rank);
    for (const int message : exchange_.sent_in(round)) {
      const Flight& flight = flights_[static_cast<std::size_t>(message)];
      if (price_of(flight.carried).waits) state.now = std::max(state.now, flight.last_byte);
    }
  }

  void receive(const kernels::RankRound& round) {
    RankState& state = at(round.rank);
    received_.clear();
    const std::span<const int> messages = exchange_.received_in(round);
    for (std::size_t place = 0; place < messages.size(); ++place) {
      received_.emplace_back(flights_[static_cast<std::size_t>(messages[place])].last_byte, place);
    }
    if (received_.size() > 1) std::ranges::sort(received_);
    for (const auto& [arrival, place] : received_) {
      const auto message = static_cast<std::size_t>(messages[place]);
      const Ticks overhead = price_of(flights_[message].carried).overhead;
      state.now = end_of(round.rank, std::max(arrival, state.now), overhead);
      if (trace_ != nullptr) trace_->messages[message].end = state.now;
    }
    if (rendezvous_) await_receivers(round);
    const Ticks reduction = price_of(round.reduced).reduction;
    if (reduction == 0) return;
    const Ticks begin = state.now;
    state.now = end_of(round.rank, begin, reduction);
    if (trace_ == nullptr) return;
    trace_->reductions[static_cast<std::size_t>(round.rank)].push_back({begin, state.now});
  }

  const kernels::Exchange& exchange_;
  Trace* trace_;
  std::vector<RankState> ranks_;
  std::vector<Node> nodes_;
  std::vector<Price> prices_;    // by set of blocks
  bool rendezvous_;              // some messages wait for their receivers
  std::vector<Flight> flights_;  // by message
  std::vector<int> node_of_;     // by rank
  std::vector<int> missing_;     // by round: conditions that are not met yet
  std::vector<int> arriving_;    // numbers of the data that are fetched ahead
  std::vector<Ticks> entered_;   // by rank, for rendezvous: since when it is in its round
  Windows<Event> windows_;
  std::vector<std::pair<Ticks, std::size_t>> received_;
  std::optional<Detours> detours_;
};

}  // namespace

std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const TwoLevelBySize& machine, const Conditions& conditions, Trace* trace) {
  return TwoLevelRun{exchange, call, machine, conditions, trace}.done_times();
}

}  // namespace breakeven::sim
