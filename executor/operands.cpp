// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <utility>

#include "executor/effect.hpp"

namespace breakeven::executor {

namespace {

class Director {
 public:
  Director(BoundSchedule& schedule, const Memory& memory, bool commutative)
      : schedule_{schedule}, effects_{memory}, commutative_{commutative} {}

  void direct() {
    for (std::size_t round = 0; round < schedule_.rounds.size(); ++round) {
      for (BoundMessage& recv : schedule_.rounds[round].recvs) direct(recv, round);
    }
  }

 private:
  void direct(BoundMessage& recv, std::size_t round) {
    if (recv.buffer != kernels::Buffer::scratch || recv.pieces.size() != 1) return;
    const Range arrival = effects_.range(recv, recv.pieces.front());
    std::vector<BoundLocal>& steps = schedule_.rounds[round].local;
    const auto user = std::ranges::find_if(
        steps, [&](const BoundLocal& step) { return effects_.of(step).touches(arrival); });
    auto* reduce = user == steps.end() ? nullptr : std::get_if<BoundReduce>(&*user);
    if (reduce == nullptr) return;
    const auto [a, b, into] = effects_.of(*user);
    const bool first = a == arrival;
    if (!first && b != arrival) return;
    if (first && !commutative_) return;
    if (into.overlaps(arrival) || (first ? b : a).overlaps(arrival)) return;
    if ((first ? b : a).overlaps(into) || in_messages(into, round)) return;
    if (std::any_of(steps.begin(), user,
                    [&](const BoundLocal& step) { return effects_.of(step).touches(into); })) {
      return;
    }
    if (needed(arrival, round, static_cast<std::size_t>(user - steps.begin()) + 1)) return;
    recv.buffer = reduce->into.buffer;
    recv.pieces = {{reduce->into.offset, reduce->elements}};
    (first ? reduce->a : reduce->b) = reduce->into;
  }

  /// Whether some message of the round is read from or written to a part of the range.
  [[nodiscard]] bool in_messages(const Range& range, std::size_t round) const {
    const BoundRound& messages = schedule_.rounds[round];
    return effects_.meets(messages.recvs, range) || effects_.meets(messages.sends, range);
  }

  /// Whether, from a local step on, the range is read before it is overwritten.
  [[nodiscard]] bool needed(const Range& range, std::size_t round, std::size_t step) const {
    for (; round < schedule_.rounds.size(); ++round, step = 0) {
      const BoundRound& now = schedule_.rounds[round];
      if (step == 0) {
        const auto overwritten = [&](const BoundMessage& recv) {
          return std::ranges::any_of(recv.pieces, [&](const Piece& piece) {
            return effects_.range(recv, piece).covers(range);
          });
        };
        if (effects_.meets(now.sends, range)) return true;
        if (std::ranges::any_of(now.recvs, overwritten)) return false;
      }
      for (; step < now.local.size(); ++step) {
        const Effect done = effects_.of(now.local[step]);
        if (done.reads(range)) return true;
        if (done.into.covers(range)) return false;
      }
    }
    return false;
  }

  BoundSchedule& schedule_;
  Effects effects_;
  bool commutative_;
};

/// Appends a reduction in its new form. `room` is where its second operand may be copied to;
/// returns how many elements of it were needed.
std::int64_t append(std::vector<BoundLocal>& steps, const BoundReduce& reduce, Place room,
                    bool commutative) {
  const auto [a, b, into, elements] = reduce;
  if (into == b) {
    steps.emplace_back(reduce);
  } else if (into != a) {
    steps.emplace_back(BoundCopy{b, into, elements});
    steps.emplace_back(BoundReduce{a, into, into, elements});
  } else if (commutative) {
    steps.emplace_back(BoundReduce{b, into, into, elements});
  } else {
    steps.emplace_back(BoundCopy{b, room, elements});
    steps.emplace_back(BoundReduce{a, room, room, elements});
    steps.emplace_back(BoundCopy{room, into, elements});
    return elements;
  }
  return 0;
}

}  // namespace

BoundSchedule with_direct_arrivals(BoundSchedule schedule, const Memory& memory, bool commutative) {
  if (memory.contiguous()) Director{schedule, memory, commutative}.direct();
  return schedule;
}

BoundSchedule with_two_operands(BoundSchedule schedule, const Memory& memory, bool commutative) {
  const Place room{kernels::Buffer::scratch,
                   memory.scratch.layout.origin() +
                       memory.distance(kernels::Buffer::scratch, schedule.scratch_elements)};
  std::int64_t most = 0;
  for (BoundRound& round : schedule.rounds) {
    std::vector<BoundLocal> steps;
    for (const BoundLocal& local : round.local) {
      if (const auto* reduce = std::get_if<BoundReduce>(&local)) {
        most = std::max(most, append(steps, *reduce, room, commutative));
      } else {
        steps.push_back(local);
      }
    }
    round.local = std::move(steps);
  }
  schedule.scratch_elements += most;
  return schedule;
}

}  // namespace breakeven::executor
