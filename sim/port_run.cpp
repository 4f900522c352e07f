// SPDX-License-Identifier: BSD-3-Clause
#include "sim/port_run.hpp"

#include <span>
#include <utility>

#include "sim/components.hpp"
#include "sim/matching.hpp"
#include "sim/min_heap.hpp"

namespace breakeven::sim {

namespace {

/// Where ports have a choice. Takes the components of the exchange one after the other, each when
/// all its ranks have come to it: most components have few ranks.
///
/// All that happens at one time happens before a message begins then, so that no order of equal
/// times decides.
class PortRun {
 public:
  PortRun(const kernels::Exchange& exchange, const PortPrices& prices, std::vector<Ticks> starts,
          Trace* trace)
      : exchange_{exchange},
        prices_{prices},
        trace_{trace},
        begins_{std::move(starts)},
        current_(begins_.size(), kernels::RankRound::kNone),
        components_{exchange},
        rounds_left_{exchange.rounds.size()} {
    for (int component = 0; component < components_.count(); ++component) {
      awaited_.push_back(components_.rounds_of(component).size());
    }
  }

  std::vector<Ticks> done_times() {
    // Messages that take no time may pass in several components in turns, all at one time.
    if (prices_.some_take_no_time()) unite_rest();
    for (const int first : exchange_.first_rounds) come_to(first);
    for (std::size_t next = 0; rounds_left_ > 0; ++next) {
      if (next == can_run_.size()) unite_rest();
      run(can_run_[next]);
    }
    return std::move(begins_);
  }

 private:
  struct Event {
    Ticks time = 0;
    int what = 0;  // ends: a message; or ~ the place of a round that begins
    friend bool operator>(const Event& one, const Event& other) { return one.time > other.time; }
  };
  /// A round of the component.
  struct Member {
    const kernels::RankRound* round = nullptr;
    int in_flight = 0;  // messages that did not end
    bool began = false;
  };
  /// Of the component.
  struct Message {
    int sender = 0;  // port
    int receiver = 0;
    int transfer = 0;
  };
  /// Of a member; the even ones send.
  struct Port {
    bool asked = false;
    bool in_turn = false;  // no message has a competitor at its other end: the first is taken
    MinHeap<int> ready{};  // messages that both sides have posted, where they are taken in turn
  };

  [[nodiscard]] const kernels::RankRound& round(int number) const {
    return exchange_.rounds[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] const kernels::Transfer& transfer(int index) const {
    return exchange_.transfers[static_cast<std::size_t>(index)];
  }
  Member& member(int place) { return members_[static_cast<std::size_t>(place)]; }
  Message& message(int number) { return messages_[static_cast<std::size_t>(number)]; }
  Port& port(int number) { return ports_[static_cast<std::size_t>(number)]; }
  std::size_t& awaited(int round) {
    return awaited_[static_cast<std::size_t>(components_.component_of(round))];
  }

  /// Components that wait for each other are taken as one.
  void unite_rest() {
    std::vector<int> rounds;
    for (int number = 0; number < static_cast<int>(exchange_.rounds.size()); ++number) {
      if (awaited(number) > 0) rounds.push_back(number);
    }
    can_run_.push_back(components_.count());
    components_.unite(rounds);
    awaited_.push_back(0);
  }

  /// The round's rank has ended what comes before.
  void come_to(int number) {
    if (number == kernels::RankRound::kNone) return;
    current_[static_cast<std::size_t>(round(number).rank)] = number;
    if (awaited(number) > 0 && --awaited(number) == 0) {
      can_run_.push_back(components_.component_of(number));
    }
  }

  void run(int component) {
    component_ = component;
    list_members();
    list_messages();
    while (!events_.empty()) {
      now_ = events_.top().time;
      while (!events_.empty() && events_.top().time == now_) {
        const int what = pop_from(events_).what;
        if (what < 0) enter(~what);
        if (what >= 0) end(what);
      }
      begin_some();
    }
  }

  void list_members() {
    const std::span<const int> rounds = components_.rounds_of(component_);
    rounds_left_ -= rounds.size();
    members_.clear();
    graph_.begins.clear();
    graph_.weights.clear();
    int links = 0;
    for (const int number : rounds) {
      const kernels::RankRound& own = round(number);
      const auto rank = static_cast<std::size_t>(own.rank);
      const auto place = static_cast<int>(members_.size());
      if (current_[rank] == number) events_.push({begins_[rank], ~place});
      members_.push_back({.round = &own, .in_flight = own.sends + own.receives});
      for (const int weight : {own.sends, own.receives}) {
        graph_.weights.push_back(weight);
        graph_.begins.push_back(links);
        links += weight;
      }
    }
    graph_.ends = graph_.begins;
    graph_.free.assign(graph_.ends.size(), 0);
    graph_.links.resize(static_cast<std::size_t>(links));
    graph_.begun.assign(graph_.links.size() / 2, 0);
  }

  /// The component's messages, by the ranks that send them: so their numbers order them.
  void list_messages() {
    messages_.clear();
    for (int place = 0; place < static_cast<int>(members_.size()); ++place) {
      for (const int index : exchange_.sent_in(*member(place).round)) {
        const int sender = 2 * place;
        const int receiver = 2 * components_.place_of(transfer(index).to_round) + 1;
        const auto number = static_cast<int>(messages_.size());
        graph_.links[static_cast<std::size_t>(graph_.ends[static_cast<std::size_t>(sender)]++)] = {
            number, receiver};
        graph_.links[static_cast<std::size_t>(graph_.ends[static_cast<std::size_t>(receiver)]++)] =
            {number, sender};
        messages_.push_back({sender, receiver, index});
      }
    }
    ports_.resize(std::max(ports_.size(), graph_.ends.size()));
    const auto alone = [&](const PortGraph::Link& link) {
      return graph_.links_of(link.other).size() == 1;
    };
    for (int number = 0; number < static_cast<int>(graph_.ends.size()); ++number) {
      port(number).in_turn = std::ranges::all_of(graph_.links_of(number), alone);
    }
  }

  void enter(int place) {
    if (member(place).in_flight == 0) return leave(place);
    look_for_posted(2 * place);
    member(place).began = true;
    look_for_posted(2 * place + 1);
  }

  /// A port's rank is in its round: what can begin there?
  void look_for_posted(int number) {
    graph_.free[static_cast<std::size_t>(number)] = 1;
    const std::span<const PortGraph::Link> links = graph_.links_of(number);
    if (links.empty()) return;
    if (!port(number).in_turn && !port(links.front().other).in_turn) return ask(number);
    for (const PortGraph::Link& link : links) {
      if (!member(link.other / 2).began) continue;
      if (port(number).in_turn && port(link.other).in_turn) {
        begin(link.message);  // no other message competes for its ports
      } else {
        queue(port(number).in_turn ? number : link.other, link.message);
      }
    }
  }

  void queue(int number, int message) {
    port(number).ready.push(message);
    ask(number);
  }

  void ask(int number) {
    if (!std::exchange(port(number).asked, true)) asked_.push_back(number);
  }

  /// Lets messages begin that can.
  void begin_some() {
    std::erase_if(asked_, [&](int number) {
      Port& own = port(number);
      own.asked = false;
      const bool is_free = graph_.free[static_cast<std::size_t>(number)] != 0;
      if (own.in_turn && is_free && !own.ready.empty()) begin(pop_from(own.ready));
      return own.in_turn;
    });
    if (asked_.empty()) return;
    for (const int number : matching_.of(graph_, asked_)) begin(number);
    asked_.clear();
  }

  void begin(int number) {
    const Message& own = message(number);
    graph_.begun[static_cast<std::size_t>(number)] = 1;
    for (const int port : {own.sender, own.receiver}) {
      graph_.free[static_cast<std::size_t>(port)] = 0;
      --graph_.weights[static_cast<std::size_t>(port)];
    }
    const Ticks end = now_ + prices_.duration(transfer(own.transfer));
    if (trace_ != nullptr) trace_->messages[static_cast<std::size_t>(own.transfer)] = {now_, end};
    events_.push({end, number});
  }

  void end(int number) {
    for (const int port : {message(number).sender, message(number).receiver}) {
      graph_.free[static_cast<std::size_t>(port)] = 1;
      if (graph_.weights[static_cast<std::size_t>(port)] > 0) ask(port);
      if (--member(port / 2).in_flight == 0) leave(port / 2);
    }
  }

  void leave(int place) {
    member(place).began = false;
    graph_.free[static_cast<std::size_t>(2 * place)] = 0;
    graph_.free[static_cast<std::size_t>(2 * place + 1)] = 0;
    const kernels::RankRound& round = *member(place).round;
    const auto rank = static_cast<std::size_t>(round.rank);
    const Ticks reduction = prices_.reduction(round);
    begins_[rank] = now_ + reduction;
    if (reduction > 0 && trace_ != nullptr) {
      trace_->reductions[rank].push_back({now_, begins_[rank]});
    }
    if (round.next == kernels::RankRound::kNone) return;
    if (components_.component_of(round.next) != component_) return come_to(round.next);
    const int next = components_.place_of(round.next);
    if (reduction == 0) return enter(next);
    events_.push({begins_[rank], ~next});
  }

  const kernels::Exchange& exchange_;
  const PortPrices& prices_;
  Trace* trace_;
  std::vector<Ticks> begins_;  // by rank: of its round
  std::vector<int> current_;   // by rank: its round
  Components components_;
  std::vector<std::size_t> awaited_;  // by component: ranks, until it can run
  std::vector<int> can_run_;          // components, in the order in which they do
  std::size_t rounds_left_;

  // In one component.
  int component_ = 0;
  Ticks now_ = 0;
  std::vector<Member> members_;    // by place
  std::vector<Message> messages_;  // of the members in turn
  std::vector<Port> ports_;        // two of each member
  PortGraph graph_;                // of messages_
  std::vector<int> asked_;         // ports for which something may begin
  MinHeap<Event> events_;
  HeaviestMatching matching_;
};

}  // namespace

std::vector<Ticks> run_with_choices(const kernels::Exchange& exchange, const PortPrices& prices,
                                    std::vector<Ticks> starts, Trace* trace) {
  return PortRun{exchange, prices, std::move(starts), trace}.done_times();
}

}  // namespace breakeven::sim
