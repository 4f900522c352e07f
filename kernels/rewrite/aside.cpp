// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/rewrite/aside.hpp"

#include "kernels/rewrite/steps.hpp"

namespace breakeven {

Schedule with_output_aside(Schedule schedule) {
  const int aside = scratch_slots(schedule);
  schedule.scratch.push_back({0, schedule.blocks});
  const auto place = [aside](Location at) {
    return at.buffer == Buffer::output ? scratch(aside + at.block) : at;
  };
  for (Round& round : schedule.rounds) {
    for (Comm& comm : round.comm) comm = moved(comm, place);
    for (Local& local : round.local) local = moved(local, place);
  }
  return schedule;
}

}  // namespace breakeven
