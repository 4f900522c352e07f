// SPDX-License-Identifier: BSD-3-Clause
#include "sim/two_level.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "sim/min_heap.hpp"

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

/// Nodes hear of each other L_inter late at least. So within a window of that length a node does
/// not depend on what others do in it, and nodes are taken through each window one after the other,
/// with few events each. Some nodes that follow each other, a domain, are woken together: what
/// their events need is asked for at once.
class TwoLevelRun {
 public:
  TwoLevelRun(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
              const TwoLevelBySize& machine, const Conditions& conditions, Trace* trace)
      : exchange_{exchange},
        trace_{trace},
        ranks_(static_cast<std::size_t>(exchange.procs)),
        flights_(exchange.transfers.size()) {
    price(bytes_of_sets(exchange, call), machine);
    place(call.problem.placement);
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
    while (!behind_.empty()) {
      const auto [window, domain] = behind_.pop();
      if (windows_[domain] == window) run(domain, window);
    }
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

  static constexpr Ticks kNever = std::numeric_limits<Ticks>::max();
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
                         .reduction = ticks_of({bytes * of_size.gamma_per_byte.value}),
                         .waits = of_size.S > 0 && bytes > of_size.S});
      lookahead_ = std::min(lookahead_, prices_.back().latency_inter);
      rendezvous_ |= prices_.back().waits;
    }
  }

  void place(const kernels::Placement& placement) {
    constexpr int kRanksOfADomain = 128;
    const int nodes = placement.nodes(exchange_.procs);
    nodes_.resize(static_cast<std::size_t>(nodes));
    for (int rank = 0; rank < exchange_.procs; ++rank) {
      node_of_.push_back(placement.node_of({rank}, exchange_.procs));
    }
    together_ = nodes == 1 || lookahead_ == 0 || rendezvous_;  // who waits hears at once
    if (together_) lookahead_ = kNever;
    waiting_.resize(together_ ? 1 : nodes_.size());
    queues_of_a_domain_ =
        together_ ? 1 : std::max<std::size_t>(1, kRanksOfADomain * nodes_.size() / ranks_.size());
    windows_.resize((waiting_.size() - 1) / queues_of_a_domain_ + 1, kNever);
  }

  /// When the rank's processor has worked so long.
  Ticks end_of(int rank, Ticks begin, Ticks work) {
    if (!detours_ || work == 0) return begin + work;
    return detours_->end_of(rank, begin, work);
  }

  void expect(std::size_t node, const Event& event) {
    const std::size_t queue = together_ ? 0 : node;
    if (queue == current_ && event.time < until_) return soon_.push(event);
    waiting_[queue].push_back(event);
    wake(queue / queues_of_a_domain_, event.time);
  }

  /// Something happens in a domain.
  void wake(std::size_t domain, Ticks time) {
    if (time >= windows_[domain]) return;
    windows_[domain] = time - time % lookahead_;
    behind_.push({windows_[domain], domain});
  }

  /// What happens in a domain before the window ends.
  void run(std::size_t domain, Ticks window) {
    windows_[domain] = kNever;
    until_ = together_ ? kNever : window + lookahead_;
    const std::size_t begin = domain * queues_of_a_domain_;
    const std::size_t end = std::min(begin + queues_of_a_domain_, waiting_.size());
    fetch_ahead(begin, end);
    for (current_ = begin; current_ < end; ++current_) {
      std::vector<Event>& waiting = waiting_[current_];
      std::size_t later = 0;
      for (const Event& event : waiting) {
        if (event.time < until_) {
          soon_.push(event);
        } else {
          waiting[later++] = event;
          wake(domain, event.time);
        }
      }
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(later), waiting.end());
      while (!soon_.empty()) serve(soon_.pop());
    }
    current_ = waiting_.size();
  }

  void enter(int number) {
    if (number == kernels::RankRound::kNone) return;
    const kernels::RankRound& next = round(number);
    at(next.rank).round = number;
    at(next.rank).end_of_sends = next.first_sent + next.sends;
    if (rendezvous_) admit(next);
    if (next.sends > 0) return send(next.rank, next.first_sent);
    has_all_but(number);
  }

  /// Who waited for a rank to be in this round goes on.
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
    expect(node_of(rank), {asks, rank, message, Event::At::bus});
  }

  /// What the events of a domain lead to lies far apart: asked for together it comes in a fraction
  /// of the time. Each step needs what the one before has brought.
  void fetch_ahead(std::size_t begin, std::size_t end) {
    arriving_.clear();
    for (std::size_t queue = begin; queue < end; ++queue) {
      for (const Event& event : waiting_[queue]) {
        if (event.time >= until_) continue;
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
      expect(node_of(message.to),
             {leaves + price.latency_inter, message.source, number, Event::At::card_in});
    }
    if (number + 1 < sender.end_of_sends) return send(message.source, number + 1);
    has_all_but(sender.round);
  }

  void serve_by_card(const Event& event) {
    Flight& flight = flights_[event.message()];
    Node& node = receiving_node(flight);
    const Ticks begin = std::max(event.time, node.in_free);
    node.in_free = begin + price_of(flight.carried).card;
    flight.last_byte = std::max(flight.last_byte, node.in_free);
    const Event next{begin, event.rank(), static_cast<int>(event.message()), Event::At::bus_in};
    if (begin == event.time) return serve_by_receivers_bus(next);
    expect(current_, next);
  }

  void serve_by_receivers_bus(const Event& event) {
    Flight& flight = flights_[event.message()];
    Node& node = receiving_node(flight);
    node.bus_free = std::max(event.time, node.bus_free) + price_of(flight.carried).bus;
    flight.last_byte = std::max(flight.last_byte, node.bus_free);
    arrive(event.message(), flight);
  }

  void arrive(std::size_t message, const Flight& flight) {
    has_all_but(flight.to_round);
    if (price_of(flight.carried).waits) has_all_but(exchange_.transfers[message].source_round);
  }

  Node& receiving_node(const Flight& flight) {
    return nodes_[together_ ? node_of(round(flight.to_round).rank) : current_];
  }

  /// One of what a round waits for has happened: that its rank has sent, or that a message of it
  /// is known to come.
  void has_all_but(int number) {
    if (--missing_[static_cast<std::size_t>(number)] > 0) return;
    const kernels::RankRound& done = round(number);
    receive(done);
    enter(done.next);
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
    for (const int message : exchange_.sent_in(round)) {
      const Flight& flight = flights_[static_cast<std::size_t>(message)];
      if (rendezvous_ && price_of(flight.carried).waits)
        state.now = std::max(state.now, flight.last_byte);
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
  std::vector<int> node_of_;  // by rank
  std::vector<Node> nodes_;
  std::vector<Price> prices_;                // by set of blocks
  std::vector<Flight> flights_;              // by message
  std::vector<int> missing_;                 // by round, see has_all_but
  std::vector<int> arriving_;                // what is fetched ahead
  bool together_ = false;                    // all nodes have one queue, and one domain
  bool rendezvous_ = false;                  // some messages wait for their receivers
  std::vector<Ticks> entered_;               // by rank, then: since when it is in its round
  std::vector<std::vector<Event>> waiting_;  // by node: what is to happen there
  std::size_t queues_of_a_domain_ = 1;
  std::vector<Ticks> windows_;                                     // by domain
  std::size_t current_ = std::numeric_limits<std::size_t>::max();  // queue, while it is taken on
  Ticks until_ = 0;
  MinHeap<Event> soon_;                            // events of the current queue, before that time
  MinHeap<std::pair<Ticks, std::size_t>> behind_;  // domains, by the windows of their first events
  std::vector<std::pair<Ticks, std::size_t>> received_;
  std::optional<Detours> detours_;
};

}  // namespace

std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const TwoLevelBySize& machine, const Conditions& conditions, Trace* trace) {
  return TwoLevelRun{exchange, call, machine, conditions, trace}.done_times();
}

}  // namespace breakeven::sim
