// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

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
