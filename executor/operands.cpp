// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <utility>

#include "executor/bound_schedule.hpp"

namespace breakeven::executor {

namespace {

/// Bytes of a buffer.
struct Range {
  kernels::Buffer buffer;
  std::int64_t begin;
  std::int64_t end;

  [[nodiscard]] bool overlaps(const Range& other) const {
    return buffer == other.buffer && begin < other.end && other.begin < end;
  }
  [[nodiscard]] bool covers(const Range& other) const {
    return buffer == other.buffer && begin <= other.begin && other.end <= end;
  }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The ranges that a local step reads (a copy reads one, named twice) and the range that it writes.
struct Effect {
  Range a;
  Range b;
  Range into;

  [[nodiscard]] bool reads(const Range& range) const {
    return a.overlaps(range) || b.overlaps(range);
  }
  [[nodiscard]] bool touches(const Range& range) const {
    return reads(range) || into.overlaps(range);
  }
};

class Director {
 public:
  Director(BoundSchedule& schedule, const Memory& memory, bool commutative)
      : schedule_{schedule}, memory_{memory}, commutative_{commutative} {}

  void direct() {
    for (std::size_t round = 0; round < schedule_.rounds.size(); ++round) {
      for (BoundMessage& recv : schedule_.rounds[round].recvs) direct(recv, round);
    }
  }

 private:
  void direct(BoundMessage& recv, std::size_t round) {
    if (recv.buffer != kernels::Buffer::scratch || recv.pieces.size() != 1) return;
    const Range arrival = range(recv, recv.pieces.front());
    std::vector<BoundLocal>& steps = schedule_.rounds[round].local;
    const auto user = std::ranges::find_if(
        steps, [&](const BoundLocal& step) { return effect(step).touches(arrival); });
    auto* reduce = user == steps.end() ? nullptr : std::get_if<BoundReduce>(&*user);
    if (reduce == nullptr) return;
    const auto [a, b, into] = effect(*user);
    const bool first = a == arrival;
    if (!first && b != arrival) return;
    if (first && !commutative_) return;
    if (into.overlaps(arrival) || (first ? b : a).overlaps(arrival)) return;
    if ((first ? b : a).overlaps(into) || in_messages(into, round)) return;
    if (std::any_of(steps.begin(), user,
                    [&](const BoundLocal& step) { return effect(step).touches(into); })) {
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
    const auto in_message = [&](const BoundMessage& message) { return meets(message, range); };
    return std::ranges::any_of(messages.recvs, in_message) ||
           std::ranges::any_of(messages.sends, in_message);
  }

  /// Whether, from a local step on, the range is read before it is overwritten.
  [[nodiscard]] bool needed(const Range& range, std::size_t round, std::size_t step) const {
    for (; round < schedule_.rounds.size(); ++round, step = 0) {
      const BoundRound& now = schedule_.rounds[round];
      if (step == 0) {
        const auto read = [&](const BoundMessage& send) { return meets(send, range); };
        const auto overwritten = [&](const BoundMessage& recv) {
          return std::ranges::any_of(recv.pieces, [&](const Piece& piece) {
            return this->range(recv, piece).covers(range);
          });
        };
        if (std::ranges::any_of(now.sends, read)) return true;
        if (std::ranges::any_of(now.recvs, overwritten)) return false;
      }
      for (; step < now.local.size(); ++step) {
        const Effect done = effect(now.local[step]);
        if (done.reads(range)) return true;
        if (done.into.covers(range)) return false;
      }
    }
    return false;
  }

  [[nodiscard]] bool meets(const BoundMessage& message, const Range& range) const {
    return std::ranges::any_of(message.pieces, [&](const Piece& piece) {
      return this->range(message, piece).overlaps(range);
    });
  }
  [[nodiscard]] Effect effect(const BoundLocal& step) const {
    if (const auto* copy = std::get_if<BoundCopy>(&step)) {
      const Range from = range(copy->from, copy->elements);
      return {from, from, range(copy->into, copy->elements)};
    }
    const auto& [a, b, into, elements] = std::get<BoundReduce>(step);
    return {range(a, elements), range(b, elements), range(into, elements)};
  }
  [[nodiscard]] Range range(const BoundMessage& message, const Piece& piece) const {
    return range(Place{message.buffer, piece.offset}, piece.elements);
  }
  [[nodiscard]] Range range(Place at, std::int64_t elements) const {
    return {at.buffer, at.offset, at.offset + memory_.distance(at.buffer, elements)};
  }

  BoundSchedule& schedule_;
  const Memory& memory_;
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
  const bool contiguous = memory.output.layout.contiguous && memory.scratch.layout.contiguous;
  if (contiguous) Director{schedule, memory, commutative}.direct();
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
