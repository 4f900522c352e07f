// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

namespace {

/// Replaces all places in `buffer` by scratch slots for the blocks `range`; the first slot.
Location move_aside(Schedule& schedule, Buffer buffer, BlockRange range) {
  const int slots = scratch_slots(schedule);
  schedule.scratch.push_back({.first_block = range.first, .count = range.count});
  const auto aside = [=](Location at) {
    return at.buffer == buffer ? scratch(slots + at.block) : at;
  };
  for (Round& round : schedule.rounds) {
    for (Comm& comm : round.comm) comm = moved(comm, aside);
    for (Local& local : round.local) local = moved(local, aside);
  }
  return scratch(slots);
}

}  // namespace

Schedule with_input_aside(Schedule schedule, const Problem& problem) {
  const BlockRange range = input_blocks(problem, schedule.blocks);
  if (range.count == 0) return schedule;
  const Location slots = move_aside(schedule, Buffer::input, range);
  Round before{.local = {Copy{input(0), slots, range.count}}};
  schedule.rounds.insert(schedule.rounds.begin(), std::move(before));
  return schedule;
}

Schedule without_output(Schedule schedule) {
  move_aside(schedule, Buffer::output, {0, schedule.blocks});
  return schedule;
}

Schedule with_output_aside(Schedule schedule, const Problem& problem) {
  const BlockRange range = output_blocks(problem, schedule.blocks);
  if (range.count == 0) return schedule;
  const Location slots = move_aside(schedule, Buffer::output, range);
  schedule.local(Copy{slots, output(0), range.count});
  return schedule;
}

}  // namespace breakeven::kernels
