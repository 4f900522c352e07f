// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "executor/effect.hpp"

namespace breakeven::executor {

namespace {

class Director {
 public:
  Director(BoundSchedule& schedule, bool commutative)
      : schedule_{schedule}, commutative_{commutative} {}

  void direct() {
    for (std::size_t round = 0; round < schedule_.rounds.size(); ++round) {
      for (BoundMessage& recv : schedule_.rounds[round].recvs) direct(recv, round);
    }
  }

 private:
  void direct(BoundMessage& recv, std::size_t round) {
    if (recv.buffer != kernels::Buffer::scratch || recv.runs.size() != 1) return;
    const Range arrival{recv, recv.runs.front()};
    std::vector<kernels::Local>& steps = schedule_.rounds[round].local;
    const auto user = std::ranges::find_if(
        steps, [&](const kernels::Local& step) { return effect_of(step).touches(arrival); });
    auto* reduce = user == steps.end() ? nullptr : std::get_if<kernels::Reduce>(&*user);
    if (reduce == nullptr) return;
    const auto [a, b, into] = effect_of(*user);
    const bool first = a == arrival;
    if (!first && b != arrival) return;
    if (first && !commutative_) return;
    if (into.overlaps(arrival) || (first ? b : a).overlaps(arrival)) return;
    if ((first ? b : a).overlaps(into) || in_messages(into, round)) return;
    if (std::any_of(steps.begin(), user,
                    [&](const kernels::Local& step) { return effect_of(step).touches(into); })) {
      return;
    }
    if (needed(arrival, round, static_cast<std::size_t>(user - steps.begin()) + 1)) return;
    recv.buffer = reduce->into.buffer;
    recv.runs = {{reduce->into.block, reduce->count}};
    (first ? reduce->a : reduce->b) = reduce->into;
  }

  /// Whether some message of the round is read from or written to a part of the range.
  [[nodiscard]] bool in_messages(const Range& range, std::size_t round) const {
    const BoundRound& messages = schedule_.rounds[round];
    return meets(messages.recvs, range) || meets(messages.sends, range);
  }

  /// Whether, from a local step on, the range is read before it is overwritten.
  [[nodiscard]] bool needed(const Range& range, std::size_t round, std::size_t step) const {
    for (; round < schedule_.rounds.size(); ++round, step = 0) {
      const BoundRound& now = schedule_.rounds[round];
      if (step == 0) {
        const auto overwritten = [&](const BoundMessage& recv) {
          return std::ranges::any_of(recv.runs, [&](const kernels::BlockRange& run) {
            return Range{recv, run}.covers(range);
          });
        };
        if (meets(now.sends, range)) return true;
        if (std::ranges::any_of(now.recvs, overwritten)) return false;
      }
      for (; step < now.local.size(); ++step) {
        const Effect done = effect_of(now.local[step]);
        if (done.reads(range)) return true;
        if (done.into.covers(range)) return false;
      }
    }
    return false;
  }

  BoundSchedule& schedule_;
  bool commutative_;
};

/// Brings reductions into the form of MPI_Reduce_local.
class Rewriter {
 public:
  Rewriter(BoundSchedule& schedule, bool commutative)
      : schedule_{schedule}, commutative_{commutative} {}

  void rewrite() {
    for (BoundRound& round : schedule_.rounds) {
      std::vector<kernels::Local> steps;
      for (const kernels::Local& local : round.local) {
        if (const auto* reduce = std::get_if<kernels::Reduce>(&local)) {
          append(*reduce, steps);
        } else {
          steps.push_back(local);
        }
      }
      round.local = std::move(steps);
    }
  }

 private:
  void append(const kernels::Reduce& reduce, std::vector<kernels::Local>& steps) {
    const auto [a, b, into, count] = reduce;
    if (into == b) {
      steps.emplace_back(reduce);
    } else if (into != a) {
      steps.emplace_back(kernels::Copy{b, into, count});
      steps.emplace_back(kernels::Reduce{a, into, into, count});
    } else if (commutative_) {
      steps.emplace_back(kernels::Reduce{b, into, into, count});
    } else {
      const kernels::Location room = room_for(reduce);
      steps.emplace_back(kernels::Copy{b, room, count});
      steps.emplace_back(kernels::Reduce{a, room, room, count});
      steps.emplace_back(kernels::Copy{room, into, count});
    }
  }

  /// Where the second operand may be copied to: slots for the operands' blocks, once for all
  /// reductions of these.
  kernels::Location room_for(const kernels::Reduce& reduce) {
    const bool any = schedule_.block_at(reduce.b) == BoundSchedule::kAnyBlock;
    const kernels::Location named = any ? reduce.a : reduce.b;
    const auto [room, added] =
        rooms_.try_emplace({schedule_.block_at(named), reduce.count}, kernels::Location{});
    if (added) room->second = schedule_.add_slots(named, reduce.count);
    return room->second;
  }

  BoundSchedule& schedule_;
  bool commutative_;
  std::map<std::pair<int, int>, kernels::Location> rooms_{};  ///< by first block and count
};

}  // namespace

BoundSchedule with_direct_arrivals(BoundSchedule schedule, bool commutative) {
  Director{schedule, commutative}.direct();
  return schedule;
}

BoundSchedule with_two_operands(BoundSchedule schedule, bool commutative) {
  Rewriter{schedule, commutative}.rewrite();
  return schedule;
}

}  // namespace breakeven::executor
