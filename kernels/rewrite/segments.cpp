// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::kernels {

Schedule refine(Schedule schedule, int parts) {
  const auto part = [parts](Location at) { return Location{at.buffer, at.block * parts}; };
  const auto refined = [&](auto& step) {
    step = moved(step, part);
    count_of(step) *= parts;
  };
  schedule.blocks *= parts;
  for (ScratchRun& run : schedule.scratch) {
    run.count *= parts;
    if (run.first_block != ScratchRun::kAnyBlock) run.first_block *= parts;
  }
  for (Round& round : schedule.rounds) {
    for (Comm& comm : round.comm) refined(comm);
    for (Local& local : round.local) refined(local);
  }
  return schedule;
}

Schedule segmented(const Schedule& schedule, int segments) {
  Schedule pipeline{.blocks = schedule.blocks * segments, .scratch = {}, .rounds = {}};
  pipeline.rounds.resize(schedule.rounds.size() + static_cast<std::size_t>(segments - 1));
  const int slots = scratch_slots(schedule);
  for (int segment = 0; segment < segments; ++segment) {
    const int first = segment * schedule.blocks;
    for (ScratchRun run : schedule.scratch) {
      if (run.first_block != ScratchRun::kAnyBlock) run.first_block += first;
      pipeline.scratch.push_back(run);
    }
    const auto in_segment = [&](Location at) {
      return Location{at.buffer,
                      at.block + (at.buffer == Buffer::scratch ? segment * slots : first)};
    };
    auto round = pipeline.rounds.begin() + segment;
    for (const auto& [comms, locals] : schedule.rounds) {
      for (const Comm& comm : comms) round->comm.push_back(moved(comm, in_segment));
      for (const Local& local : locals) round->local.push_back(moved(local, in_segment));
      ++round;
    }
  }
  return pipeline;
}

}  // namespace breakeven::kernels
