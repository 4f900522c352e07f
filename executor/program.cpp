// SPDX-License-Identifier: BSD-3-Clause
#include "executor/program.hpp"

#include <algorithm>

namespace breakeven::executor {

namespace {

Shape shape_of(const BoundRound& round) {
  if (round.recvs.empty() && round.sends.empty()) return Shape::none;
  const bool overlaps = !round.meanwhile.empty();
  if (overlaps || round.recvs.size() > 1 || round.sends.size() > 1) return Shape::many;
  if (round.recvs.empty()) return Shape::send;
  return round.sends.empty() ? Shape::recv : Shape::exchange;
}

class Compiler {
 public:
  Compiler(const Memory& memory, const Elements& elements, int me)
      : memory_{memory}, elements_{elements}, me_{me} {}

  [[nodiscard]] Program compile(const BoundSchedule& schedule) && {
    for (const BoundRound& round : schedule.rounds) add(round);
    return std::move(program_);
  }

 private:
  void add(const BoundRound& round) {
    const std::size_t messages = round.recvs.size() + round.sends.size();
    if (messages == 0 && round.local.empty()) return;
    program_.rounds.push_back({.shape = shape_of(round),
                               .recvs = static_cast<int>(round.recvs.size()),
                               .sends = static_cast<int>(round.sends.size()),
                               .meanwhile = static_cast<int>(round.meanwhile.size()),
                               .locals = static_cast<int>(round.local.size())});
    program_.most_messages = std::max(program_.most_messages, messages);
    for (const BoundMessage& recv : round.recvs) program_.messages.push_back(message(recv));
    for (const BoundMessage& send : round.sends) program_.messages.push_back(message(send));
    for (const std::vector<BoundLocal>* steps : {&round.meanwhile, &round.local}) {
      for (const BoundLocal& local : *steps) {
        std::visit([this](const auto& step) { add(step); }, local);
      }
    }
  }

  void add(const BoundCopy& copy) {
    LocalStep step{.a = copy.from,
                   .into = copy.into,
                   .amount = static_cast<std::size_t>(copy.elements * memory_.element_size)};
    if (!contiguous(copy.from.buffer) || !contiguous(copy.into.buffer)) {
      step.action = Action::copy_typed;
      step.amount = program_.self.size();
      for (const Place& side : {copy.from, copy.into}) {
        program_.self.push_back(message({me_, side.buffer, {{side.offset, copy.elements}}}));
      }
    }
    program_.locals.push_back(step);
  }

  void add(const BoundReduce& reduce) {
    program_.locals.push_back(
        {.action = elements_.kernel == nullptr ? Action::reduce_by_library : Action::reduce,
         .a = reduce.a,
         .b = reduce.b,
         .into = reduce.into,
         .amount = static_cast<std::size_t>(reduce.elements)});
  }

  [[nodiscard]] bool contiguous(kernels::Buffer buffer) const {
    return memory_.of(buffer).layout.contiguous && elements_.shares(buffer).empty();
  }
  [[nodiscard]] Message message(const BoundMessage& message) {
    return message_of(message, memory_, elements_, program_.types);
  }

  const Memory& memory_;
  const Elements& elements_;
  int me_;
  Program program_;
};

}  // namespace

Program program_of(const BoundSchedule& schedule, const Memory& memory, const Elements& elements,
                   int me) {
  return Compiler{memory, elements, me}.compile(schedule);
}

}  // namespace breakeven::executor
