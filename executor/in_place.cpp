// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <boost/icl/interval_set.hpp>

#include "executor/bound_schedule.hpp"

namespace breakeven::executor {

namespace {

using Interval = boost::icl::interval<std::int64_t>;

/// Moves a schedule's input into its output buffer, step by step in the order of their effects.
class InputMover {
 public:
  explicit InputMover(const Memory& memory)
      : memory_{memory}, input_begin_{*memory.input_in_output} {}

  void move(BoundRound& round) {
    for (const BoundMessage& recv : round.recvs) {
      for (const Piece& piece : recv.pieces) write({recv.buffer, piece.offset}, piece.elements);
    }
    for (BoundMessage& send : round.sends) {
      if (send.buffer != kernels::Buffer::input) continue;
      for (Piece& piece : send.pieces) {
        piece.offset = read({kernels::Buffer::input, piece.offset}, piece.elements).offset;
      }
      send.buffer = kernels::Buffer::output;
    }
    for (BoundLocal& local : round.local) {
      std::visit([this](auto& step) { move_step(step); }, local);
    }
    std::erase_if(round.local, [](const BoundLocal& local) {
      const auto* copy = std::get_if<BoundCopy>(&local);
      return copy != nullptr && copy->from == copy->into;
    });
  }
  [[nodiscard]] bool safe() const { return safe_; }

 private:
  void move_step(BoundCopy& copy) {
    copy.from = read(copy.from, copy.elements, copy.into);
    if (copy.from != copy.into) write(copy.into, copy.elements);
  }
  void move_step(BoundReduce& reduce) {
    reduce.a = read(reduce.a, reduce.elements, reduce.into);
    reduce.b = read(reduce.b, reduce.elements, reduce.into);
    write(reduce.into, reduce.elements);
  }

  /// @param into  where the step that reads writes: the same place or one that does not overlap
  Place read(Place from, std::int64_t elements, Place into = {kernels::Buffer::scratch, 0}) {
    if (from.buffer != kernels::Buffer::input) return from;
    const Place moved{kernels::Buffer::output, from.offset + input_begin_};
    const auto here = range(moved, elements);
    safe_ = safe_ && !intersects(written_, here);
    if (into.buffer == kernels::Buffer::output && into != moved) {
      safe_ = safe_ && disjoint(range(into, elements), here);
    }
    return moved;
  }
  void write(Place into, std::int64_t elements) {
    if (into.buffer == kernels::Buffer::output) written_.add(range(into, elements));
  }
  /// In steps of the extent, which both buffers share: elements that interleave do not overlap.
  [[nodiscard]] Interval::interval_type range(Place at, std::int64_t elements) const {
    const std::int64_t end = at.offset + memory_.distance(kernels::Buffer::output, elements);
    return Interval::right_open(std::min(at.offset, end), std::max(at.offset, end));
  }

  const Memory& memory_;
  std::int64_t input_begin_;
  boost::icl::interval_set<std::int64_t> written_;  // of the output buffer, in bytes
  bool safe_ = true;
};

bool in_output(Place at) { return at.buffer == kernels::Buffer::output; }

/// Whether the output is only written, by local steps that make nothing else.
bool only_written(const BoundSchedule& schedule) {
  const auto of_message = [](const BoundMessage& message) {
    return message.buffer == kernels::Buffer::output && !message.pieces.empty();
  };
  return std::ranges::none_of(schedule.rounds, [&](const BoundRound& round) {
    return std::ranges::any_of(round.sends, of_message) ||
           std::ranges::any_of(round.recvs, of_message) ||
           std::ranges::any_of(round.local, [](const BoundLocal& local) {
             const auto* copy = std::get_if<BoundCopy>(&local);
             return copy == nullptr || in_output(copy->from);
           });
  });
}

}  // namespace

std::optional<BoundSchedule> fitted_in_place(BoundSchedule schedule, const Memory& memory) {
  if (memory.input_in_output) {
    InputMover mover{memory};
    for (BoundRound& round : schedule.rounds) mover.move(round);
    if (!mover.safe()) return std::nullopt;
  }
  if (memory.output_unwanted) {
    if (!only_written(schedule)) return std::nullopt;
    for (BoundRound& round : schedule.rounds) {
      std::erase_if(round.local, [](const BoundLocal& local) {
        return in_output(std::get<BoundCopy>(local).into);
      });
    }
  }
  return schedule;
}

}  // namespace breakeven::executor
