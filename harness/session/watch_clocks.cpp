// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/watch_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "harness/launch/ask.hpp"
#include "harness/launch/probe.hpp"

namespace breakeven {

std::vector<WatchedClock> watch_clocks(const Library& library, const NodeLayout& layout,
                                       const ClocksRequest& request) {
  constexpr Seconds kPatience{60};
  const JobInfo host = probe(library, {.nodes = layout.nodes}, kPatience).job_info;
  const ChildProcess::Command command =
      job_command(library, {layout, oversubscribed(host, layout.procs_per_node)});
  std::vector<WatchedClock> clocks;
  const auto of = [&](ClockSync method) {
    return std::ranges::find(clocks, method,
                             [](const WatchedClock& each) { return each.synced.clock; });
  };
  // A method that takes ranks in turn is silent for a while, and so are we between readings.
  const Seconds patience =
      kPatience + request.duration + Seconds{static_cast<double>(layout.procs)};
  const JobEnd end = ask(
      command, patience, {request},
      [&](const JobInfo& job_info) { check_placement(job_info, layout); },
      [&](const ClockSynced& synced) { clocks.push_back({.synced = synced, .offsets = {}}); },
      [&](const ClockOffset& offset) { of(offset.clock)->offsets.push_back(offset); });
  if (!end.complete()) throw Error(fmt::format("{} ({})", end.outcome, to_text(command)));
  return clocks;
}

}  // namespace breakeven
