// SPDX-License-Identifier: BSD-3-Clause
#include "sim/overlap.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace breakeven::sim {

namespace {

/// A turn's times follow from those of the turns before it, so the order of the exchange serves for
/// every machine, and no rank is visited in vain.
class OverlapRun {
 public:
  OverlapRun(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
             const Overlap& machine, const Conditions& conditions, Trace* trace)
      : exchange_{exchange},
        trace_{trace},
        ranks_(static_cast<std::size_t>(exchange.procs)),
        arrivals_(exchange.transfers.size()) {
    price(bytes_of_sets(exchange, call), machine);
    for (std::size_t i = 0; i < conditions.starts.size(); ++i) {
      ranks_[i].now = ranks_[i].entered = conditions.starts[i];
    }
    if (!conditions.noise.none()) detours_.emplace(conditions.noise, exchange.procs);
  }

  std::vector<Ticks> done_times() {
    for (const kernels::Turn turn : exchange_.order) {
      const kernels::RankRound& round = exchange_.rounds[turn.round()];
      if (turn.receives()) {
        receive(round);
      } else {
        send(round);
      }
    }
    std::vector<Ticks> done;
    done.reserve(ranks_.size());
    for (const RankState& each : ranks_) done.push_back(each.now);
    return done;
  }

 private:
  struct RankState {
    Ticks now = 0;      // its processor is free from then on
    Ticks entered = 0;  // its round
    Ticks out_free = 0;
    Ticks in_free = 0;
    Ticks held = 0;  // it stays in its round until then
  };

  RankState& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const MessageCost& cost_of(const kernels::Transfer& message) const {
    return costs_[cost_numbers_[static_cast<std::size_t>(message.carried)]];
  }

  /// A cost for each distinct number of bytes.
  void price(const std::vector<std::int64_t>& bytes, const Overlap& machine) {
    reductions_ = reduction_times(bytes, machine.gamma);
    std::unordered_map<std::int64_t, std::uint32_t> numbers;
    for (const std::int64_t each : bytes) {
      const auto next = static_cast<std::uint32_t>(costs_.size());
      const auto [number, is_new] = numbers.try_emplace(each, next);
      if (is_new) costs_.push_back(machine.cost(static_cast<double>(each)));
      cost_numbers_.push_back(number->second);
    }
  }

  /// When the rank's processor has worked this long.
  Ticks end_of(int rank, Ticks begin, Ticks work) {
    if (!detours_ || work == 0) return begin + work;
    return detours_->end_of(rank, begin, work);
  }

  void send(const kernels::RankRound& round) {
    RankState& state = at(round.rank);
    for (const int index : exchange_.sent_in(round)) {
      const auto number = static_cast<std::size_t>(index);
      const kernels::Transfer& message = exchange_.transfers[number];
      const MessageCost& cost = cost_of(message);
      Ticks begin = std::max(state.now, state.out_free);
      if (cost.rendezvous) begin = std::max(begin, at(message.to).entered);
      const Ticks end = end_of(round.rank, begin, cost.send_busy);
      const Ticks late = end - begin - cost.send_busy;
      if (cost.send_busy > 0) state.now = end;
      const bool gap = index - round.first_sent >= cost.without_gap;
      state.out_free = begin + late + (gap ? cost.send_gap : 0);
      state.held = begin + late + cost.send_held;
      arrivals_[number] = begin + late + cost.flight;
      if (trace_ != nullptr) trace_->messages[number].begin = begin;
    }
  }

  void receive(const kernels::RankRound& round) {
    RankState& state = at(round.rank);
    const std::span<const int> messages = exchange_.received_in(round);
    if (messages.size() == 1) {
      take(state, round.rank, messages.front());
    } else if (messages.size() > 1) {
      received_.clear();
      for (std::size_t place = 0; place < messages.size(); ++place) {
        received_.emplace_back(arrivals_[static_cast<std::size_t>(messages[place])], place);
      }
      std::ranges::sort(received_);
      for (const auto& [arrival, place] : received_) take(state, round.rank, messages[place]);
    }
    state.now = std::max(state.now, state.held);
    const Ticks reduction = reductions_[static_cast<std::size_t>(round.reduced)];
    if (reduction > 0) {
      const Ticks begin = state.now;
      state.now = end_of(round.rank, begin, reduction);
      if (trace_ != nullptr) {
        trace_->reductions[static_cast<std::size_t>(round.rank)].push_back({begin, state.now});
      }
    }
    state.entered = state.now;
  }

  void take(RankState& state, int rank, int index) {
    const auto number = static_cast<std::size_t>(index);
    const MessageCost& cost = cost_of(exchange_.transfers[number]);
    const Ticks begin = std::max({arrivals_[number], state.now, state.in_free});
    state.now = end_of(rank, begin, cost.recv_busy);
    state.in_free = begin + cost.recv_gap;
    if (trace_ != nullptr) trace_->messages[number].end = state.now;
  }

  const kernels::Exchange& exchange_;
  Trace* trace_;
  std::vector<RankState> ranks_;
  std::vector<Ticks> arrivals_;              // by message, once it is sent
  std::vector<MessageCost> costs_;           // by distinct number of bytes
  std::vector<std::uint32_t> cost_numbers_;  // by set of blocks
  std::vector<Ticks> reductions_;            // by set of blocks
  std::vector<std::pair<Ticks, std::size_t>> received_;
  std::optional<Detours> detours_;
};

}  // namespace

std::vector<Ticks> run(const kernels::Exchange& exchange, const kernels::CollectiveCall& call,
                       const Overlap& machine, const Conditions& conditions, Trace* trace) {
  return OverlapRun{exchange, call, machine, conditions, trace}.done_times();
}

}  // namespace breakeven::sim
