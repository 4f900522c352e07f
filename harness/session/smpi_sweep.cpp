// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/smpi_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace breakeven::session {

plan::Sweep default_smpi_sweep(plan::Sweep usual, const launch::SmpiMachine& machine,
                               const std::vector<int>& procs) {
  constexpr int kLeastForCertainty = 3;  // launches, without which decisions call themselves weak
  constexpr int kRepetitions = 5;
  plan::Sweep sweep = std::move(usual);
  sweep.launches = kLeastForCertainty;
  // All ranks begin at the same moment: a barrier would leave them one by one, mapping by mapping.
  sweep.measure.sync = SyncMethod::window;
  sweep.measure.clock_sync = ClockSync::skampi;
  sweep.measure.run_time = RunTime::global;
  sweep.measure.timer = Timer::wtime;
  sweep.measure.min_time = {};  // a simulation has no phases
  sweep.measure.repetitions = sweep.measure.min_repetitions = sweep.measure.batch = kRepetitions;
  sweep.mapping = machine.mapping.value_or(sweep.mapping);
  if (machine.hosts) {
    sweep.nodes = *machine.hosts;
  } else if (machine.procs_per_host) {
    sweep.nodes = std::max(1, procs.front() / *machine.procs_per_host);
  }
  return sweep;
}

plan::Sweep settled(plan::Sweep sweep, const launch::SmpiMachine& machine) {
  const auto contradict = [&](const std::string& ours, const std::string& theirs) {
    throw UsageError(fmt::format("machine '{}' says {}, the sweep {}; say it once", sweep.machine,
                                 ours, theirs));
  };
  if (machine.hosts && *machine.hosts != sweep.nodes) {
    contradict(fmt::format("hosts={}", *machine.hosts), fmt::format("{} nodes", sweep.nodes));
  }
  if (machine.mapping && *machine.mapping != sweep.mapping) {
    contradict(fmt::format("mapping={}", to_text(*machine.mapping)),
               fmt::format("mapping {}", to_text(sweep.mapping)));
  }
  if (!sweep.layouts.empty()) {
    throw UsageError("layouts asked for; a simulated platform has process counts and nodes");
  }
  for (const int procs : sweep.procs) {
    if (procs == 1) {
      throw UsageError("p = 1 asked for, of which nothing can be simulated: 2 or more");
    }
    if (machine.procs_per_host && procs != sweep.nodes * *machine.procs_per_host) {
      contradict(fmt::format("ppn={}", *machine.procs_per_host),
                 fmt::format("p = {} on {} nodes", procs, sweep.nodes));
    }
  }
  sweep.machine = launch::to_text(machine);
  return sweep;
}

}  // namespace breakeven::session
