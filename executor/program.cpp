// SPDX-License-Identifier: BSD-3-Clause
#include "executor/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "core/error.hpp"

namespace breakeven::executor {

namespace {

Shape shape_of(const BoundRound& round) {
  if (round.recvs.empty() && round.sends.empty()) return Shape::none;
  const bool overlaps = !round.meanwhile.empty();
  if (overlaps || round.recvs.size() > 1 || round.sends.size() > 1) return Shape::many;
  if (round.recvs.empty()) return Shape::send;
  return round.sends.empty() ? Shape::recv : Shape::exchange;
}

class Writer {
 public:
  Writer(const BlockMap& map, const CallTerms& terms, int me, Program& program)
      : map_{map}, terms_{terms}, me_{me}, program_{program} {}

  void write(const BoundSchedule& schedule) {
    program_.rounds.clear();
    program_.messages.clear();
    program_.locals.clear();
    program_.self.clear();
    program_.types.clear();
    for (const BoundRound& round : schedule.rounds) add(round);
  }

 private:
  void add(const BoundRound& round) {
    const std::size_t messages = round.recvs.size() + round.sends.size();
    for (const BoundMessage& recv : round.recvs) add(recv);
    for (const BoundMessage& send : round.sends) add(send);
    const int meanwhile = add(round.meanwhile);
    const int locals = add(round.local);
    if (messages == 0 && locals == 0) return;
    program_.most_messages = std::max(program_.most_messages, messages);
    program_.rounds.push_back({.shape = shape_of(round),
                               .recvs = static_cast<int>(round.recvs.size()),
                               .sends = static_cast<int>(round.sends.size()),
                               .meanwhile = meanwhile,
                               .locals = locals});
  }
  /// The number of steps that they became.
  int add(const std::vector<kernels::Local>& steps) {
    const std::size_t before = program_.locals.size();
    for (const kernels::Local& local : steps) {
      std::visit([this](const auto& step) { add(step); }, local);
    }
    return static_cast<int>(program_.locals.size() - before);
  }

  void add(const BoundMessage& message) {
    from_.clear();
    for (const kernels::BlockRange& run : message.runs) {
      map_.append({message.buffer, run.first}, run.count, from_);
    }
    program_.messages.push_back(
        message_of(message.peer, message.buffer, from_, terms_, program_.types));
  }

  /// Piece by piece.
  void add(const kernels::Copy& copy) {
    std::int64_t left = elements_of({copy.from, copy.into}, copy.count);
    locate(copy.from, copy.count, from_);
    locate(copy.into, copy.count, into_);
    auto reading = from_.begin();
    auto writing = into_.begin();
    while (left > 0) {
      const std::int64_t part = std::min({left, reading->elements, writing->elements});
      add_copy({copy.from.buffer, reading->offset}, {copy.into.buffer, writing->offset}, part);
      reading = after(reading, copy.from.buffer, part);
      writing = after(writing, copy.into.buffer, part);
      left -= part;
    }
  }
  /// The piece without its first elements, or the next one.
  [[nodiscard]] std::vector<Piece>::iterator after(std::vector<Piece>::iterator piece,
                                                   kernels::Buffer buffer,
                                                   std::int64_t elements) const {
    if (piece->elements == elements) return piece + 1;
    piece->offset += terms_.memory.distance(buffer, elements);
    piece->elements -= elements;
    return piece;
  }
  void add_copy(Place from, Place into, std::int64_t elements) {
    LocalStep step{.a = from,
                   .into = into,
                   .amount = static_cast<std::size_t>(elements * terms_.memory.element_size)};
    if (!contiguous(from.buffer) || !contiguous(into.buffer)) {
      step.action = Action::copy_typed;
      step.amount = program_.self.size();
      for (const Place& side : {from, into}) {
        const Piece piece{side.offset, elements};
        program_.self.push_back(message_of(me_, side.buffer, {&piece, 1}, terms_, program_.types));
      }
    }
    program_.locals.push_back(step);
  }

  void add(const kernels::Reduce& reduce) {
    const std::int64_t elements = elements_of({reduce.a, reduce.b, reduce.into}, reduce.count);
    if (elements == 0) return;
    const bool by_library = terms_.elements.kernel == nullptr;
    program_.locals.push_back({.action = by_library ? Action::reduce_by_library : Action::reduce,
                               .a = place_of(reduce.a, reduce.count),
                               .b = place_of(reduce.b, reduce.count),
                               .into = place_of(reduce.into, reduce.count),
                               .amount = static_cast<std::size_t>(elements)});
  }

  /// The elements of a step: what its exact sides agree on, and what the others have room for.
  [[nodiscard]] std::int64_t elements_of(std::initializer_list<kernels::Location> sides,
                                         int count) const {
    const auto* const exact = std::ranges::find_if(
        sides, [&](kernels::Location side) { return map_.exact(side, count); });
    if (exact == sides.end()) throw Error("the schedule has a local step of unknown size");
    const std::int64_t elements = map_.elements(*exact, count);
    for (const kernels::Location side : sides) {
      const std::int64_t there = map_.elements(side, count);
      if (map_.exact(side, count) ? there != elements : there < elements) {
        throw Error(
            fmt::format("the schedule has a local step of {} elements on one side, {} on another",
                        elements, there));
      }
    }
    return elements;
  }
  void locate(kernels::Location at, int count, std::vector<Piece>& pieces) const {
    pieces.clear();
    map_.append(at, count, pieces);
  }
  /// The one place where a run with elements begins.
  [[nodiscard]] Place place_of(kernels::Location at, int count) {
    locate(at, count, from_);
    if (from_.size() != 1) throw Error("the schedule reduces shares that are no neighbours");
    return {at.buffer, from_.front().offset};
  }
  [[nodiscard]] bool contiguous(kernels::Buffer buffer) const {
    return terms_.memory.of(buffer).layout.contiguous && terms_.elements.shares(buffer).empty();
  }

  const BlockMap& map_;
  const CallTerms& terms_;
  int me_;
  Program& program_;
  std::vector<Piece>& from_{program_.from};
  std::vector<Piece>& into_{program_.into};
};

}  // namespace

void write_program(const BoundSchedule& schedule, const BlockMap& map, const CallTerms& terms,
                   int me, Program& program) {
  Writer{map, terms, me, program}.write(schedule);
}

}  // namespace breakeven::executor
