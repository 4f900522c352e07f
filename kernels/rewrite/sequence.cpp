// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

namespace {

bool in_place(const Local& local) {
  const auto* copy = std::get_if<Copy>(&local);
  return copy != nullptr && copy->from == copy->into;
}

template <typename To>
void append(Schedule& whole, const Schedule& part, const To& to) {
  for (const Round& round : part.rounds) {
    Round& added = whole.rounds.emplace_back();
    for (const Comm& comm : round.comm) added.comm.push_back(moved(comm, to));
    for (const Local& local : round.local) {
      if (const Local step = moved(local, to); !in_place(step)) added.local.push_back(step);
    }
    if (added.comm.empty() && added.local.empty()) whole.rounds.pop_back();
  }
}

}  // namespace

Schedule sequence(const Problem& whole, SequencePart first, SequencePart second) {
  const int blocks = std::lcm(first.schedule.blocks, second.schedule.blocks);
  for (SequencePart* part : {&first, &second}) {
    part->schedule = refine(std::move(part->schedule), blocks / part->schedule.blocks);
  }
  Schedule both{.blocks = blocks, .scratch = first.schedule.scratch, .rounds = {}};
  const int slots_of_first = scratch_slots(first.schedule);
  both.scratch.insert(both.scratch.end(), second.schedule.scratch.begin(),
                      second.schedule.scratch.end());

  const BlockRange passed = output_blocks(first.problem, blocks);
  const bool in_output =
      output_blocks(whole, blocks).count == blocks && safe_in_place(second.schedule, passed.first);
  const int aside = scratch_slots(both);
  if (!in_output && passed.count > 0) both.scratch.push_back({passed.first, passed.count});
  const auto between = [&](int block) {
    return in_output ? output(passed.first + block) : scratch(aside + block);
  };

  append(both, first.schedule,
         [&](Location at) { return at.buffer == Buffer::output ? between(at.block) : at; });
  append(both, second.schedule, [&](Location at) {
    switch (at.buffer) {
      case Buffer::input: return between(at.block);
      case Buffer::scratch: return scratch(slots_of_first + at.block);
      case Buffer::output: break;
    }
    return at;
  });
  return both;
}

}  // namespace breakeven::kernels
