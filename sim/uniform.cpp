// SPDX-License-Identifier: BSD-3-Clause
#include "sim/uniform.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/twins.hpp"

namespace breakeven::sim {

namespace {

/// Of the only message that a rank sends in its round.
MessageCost cost_of(const Overlap& overlap, double bytes) {
  MessageCost cost = overlap.cost(bytes);
  if (cost.without_gap > 0) cost.send_gap = 0;
  return cost;
}

/// One round of all ranks.
class Rounds {
 public:
  Rounds(const Uniform& uniform, std::span<const Ticks> starts)
      : procs_{static_cast<std::size_t>(uniform.procs)},
        now_(starts.begin(), starts.end()),
        out_free_(procs_, 0),
        in_free_(procs_, 0),
        sent_(procs_, 0) {}

  /// Where no gap is longer than a message takes the processor, and no sender waits for its
  /// receiver: a rank is done a constant time after it or its message's sender began.
  void overlap_without_gaps(const UniformRound& round, const MessageCost& cost, Ticks reduction) {
    const Ticks own = std::max(cost.send_busy + cost.recv_busy, cost.send_held) + reduction;
    const Ticks others = cost.flight + cost.recv_busy + reduction;
    std::swap(now_, sent_);
    for_pairs(round, [now = now_.data(), sent = sent_.data(), own, others](std::size_t rank,
                                                                           std::size_t source) {
      now[rank] = std::max(sent[rank] + own, sent[source] + others);
    });
  }

  void overlap(const UniformRound& round, const MessageCost& cost, Ticks reduction) {
    for (std::size_t rank = 0; rank < procs_; ++rank) {
      sent_[rank] = std::max(now_[rank], out_free_[rank]);
    }
    if (cost.rendezvous) wait_for_receivers(round);
    for_pairs(round, [&](std::size_t rank, std::size_t source) {
      const Ticks own = sent_[rank];
      const Ticks free = cost.send_busy > 0 ? own + cost.send_busy : now_[rank];
      const Ticks begin = std::max({sent_[source] + cost.flight, free, in_free_[rank]});
      out_free_[rank] = own + cost.send_gap;
      in_free_[rank] = begin + cost.recv_gap;
      now_[rank] = std::max(begin + cost.recv_busy, own + cost.send_held) + reduction;
    });
  }

  void ports(const UniformRound& round, Ticks duration, Ticks reduction) {
    for (std::size_t rank = 0; rank < procs_; ++rank) {
      sent_[rank] = std::max(now_[rank], now_[peer(round, rank)]) + duration;
    }
    for_pairs(round, [&](std::size_t rank, std::size_t source) {
      now_[rank] = std::max(sent_[rank], sent_[source]) + reduction;
    });
  }

  [[nodiscard]] std::vector<Ticks> done() && { return std::move(now_); }

 private:
  /// The receiver of the rank's message.
  [[nodiscard]] std::size_t peer(const UniformRound& round, std::size_t rank) const {
    const auto distance = static_cast<std::size_t>(round.distance);
    if (round.exchange) return rank ^ distance;
    return rank + distance < procs_ ? rank + distance : rank + distance - procs_;
  }

  /// A message begins no earlier than its receiver is in the round.
  void wait_for_receivers(const UniformRound& round) {
    for (std::size_t rank = 0; rank < procs_; ++rank) {
      sent_[rank] = std::max(sent_[rank], now_[peer(round, rank)]);
    }
  }

  /// Each rank with the sender of its message.
  template <typename Do>
  void for_pairs(const UniformRound& round, const Do& act) {
    const auto distance = static_cast<std::size_t>(round.distance);
    if (round.exchange) {
      for (std::size_t rank = 0; rank < procs_; ++rank) act(rank, rank ^ distance);
      return;
    }
    for (std::size_t rank = 0; rank < distance; ++rank) act(rank, rank + procs_ - distance);
    for (std::size_t rank = distance; rank < procs_; ++rank) act(rank, rank - distance);
  }

  std::size_t procs_;
  std::vector<Ticks> now_;
  std::vector<Ticks> out_free_;
  std::vector<Ticks> in_free_;
  std::vector<Ticks> sent_;
};

}  // namespace

std::optional<Uniform> uniform_of(const kernels::Algorithm& algorithm,
                                  const kernels::Problem& problem) {
  const std::optional<Alike> alike = alike_of(algorithm, problem);
  if (!alike || alike->rounds.empty()) return std::nullopt;
  Uniform uniform{.procs = problem.procs, .blocks = alike->blocks};
  for (int number = 0; const AlikeRound& each : alike->rounds) {
    const std::vector<AlikeRound::Place> here{{number++, 0}};
    if (each.sent.size() != 1 || each.received != here) return std::nullopt;
    UniformRound round{.exchange = alike->bits,
                       .distance = each.partners.front(),
                       .sent = each.sent.front(),
                       .reduced = std::accumulate(each.reduced.begin(), each.reduced.end(), 0)};
    if (!uniform.rounds.empty()) round.times = uniform.rounds.back().times;
    if (!uniform.rounds.empty() && round == uniform.rounds.back()) {
      ++uniform.rounds.back().times;
    } else {
      round.times = 1;
      uniform.rounds.push_back(round);
    }
  }
  return uniform;
}

bool are_alike(const Uniform& uniform, const kernels::CollectiveCall& call,
               const Machine& machine) {
  if (std::holds_alternative<TwoLevel>(machine.ranges.front().parameters)) return false;
  const auto bytes_of = [&](int block) {
    return kernels::bytes_of(call, uniform.blocks, {.first = block, .count = 1}).value;
  };
  return bytes_of(0) == bytes_of(uniform.blocks - 1);  // longer ones come first
}

std::vector<Ticks> done_times(const Uniform& uniform, const kernels::CollectiveCall& call,
                              const Machine& machine, std::span<const Ticks> starts) {
  const double block =
      static_cast<double>(kernels::bytes_of(call, uniform.blocks, {.first = 0, .count = 1}).value);
  Rounds rounds{uniform, starts};
  const Overlap overlap = overlap_of(machine);
  const bool gaps =
      overlap.cost != nullptr && std::ranges::any_of(uniform.rounds, [&](const auto& each) {
        const MessageCost cost = cost_of(overlap, block * each.sent);
        return cost.send_gap > cost.send_busy || cost.recv_gap > cost.recv_busy;
      });
  for (const UniformRound& round : uniform.rounds) {
    const double sent = block * round.sent;
    const Ticks reduction = overlap.gamma.time(block * round.reduced);
    if (const auto* const postal = std::get_if<Postal>(&machine.at(sent))) {
      const Ticks duration =
          ticks_of(postal->alpha) + ticks_of({sent * postal->beta_per_byte.value});
      for (int i = 0; i < round.times; ++i) rounds.ports(round, duration, reduction);
      continue;
    }
    const MessageCost cost = cost_of(overlap, sent);
    for (int i = 0; i < round.times; ++i) {
      if (gaps || cost.rendezvous) {
        rounds.overlap(round, cost, reduction);
      } else {
        rounds.overlap_without_gaps(round, cost, reduction);
      }
    }
  }
  return std::move(rounds).done();
}

}  // namespace breakeven::sim
