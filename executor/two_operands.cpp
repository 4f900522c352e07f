// SPDX-License-Identifier: BSD-3-Clause
#include "executor/two_operands.hpp"

#include <algorithm>
#include <utility>

namespace breakeven::executor {

namespace {

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
