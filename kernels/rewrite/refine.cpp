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

}  // namespace breakeven::kernels
