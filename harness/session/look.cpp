// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/look.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "harness/launch/job.hpp"
#include "harness/session/library_settings.hpp"

namespace breakeven::session {

protocol::JobInfo where_ranks_are(const launch::ChildProcess::Command& command, Seconds patience) {
  std::optional<protocol::JobInfo> found;
  const launch::JobEnd end = launch::ask(
      command, patience, {}, [&](const protocol::JobInfo& job_info) { found = job_info; });
  if (!found || !end.complete()) {
    throw UsageError(fmt::format("the job '{}' failed: {}", launch::to_text(command), end.outcome));
  }
  return *found;
}

doctor::Examination examine_job(const launch::Library& library, const launch::JobLayout& layout,
                                Seconds patience) {
  std::vector<protocol::NodeFacts> nodes;
  const launch::ChildProcess::Command command = launch::job_command(library, layout);
  const launch::JobEnd end = launch::ask(
      command, patience, {protocol::InspectRequest{}},
      [&](const protocol::JobInfo& job_info) { launch::check_placement(job_info, layout); },
      [&](const protocol::NodeFacts& node) { nodes.push_back(node); });
  if (!end.complete()) {
    throw UsageError(
        fmt::format("'{}' can't be examined: {}", launch::to_text(command), end.outcome));
  }
  for (protocol::NodeFacts& node : nodes) {
    if (!node.library) continue;
    LibrarySettings& settings = node.library->settings;
    settings = with_origins(std::move(settings), library.launcher->library, command);
  }
  return doctor::examined(std::string{library.launcher->library}, std::move(nodes));
}

std::vector<WatchedClock> watch_clocks(const launch::Library& library, const NodeLayout& layout,
                                       const protocol::ClocksRequest& request) {
  constexpr Seconds kPatience{60};
  const protocol::JobInfo host =
      launch::probe(library, {.nodes = layout.nodes}, kPatience).job_info;
  const launch::ChildProcess::Command command =
      launch::job_command(library, launch::place_on(host, layout));
  std::vector<WatchedClock> clocks;
  const auto of = [&](ClockSync method) {
    return std::ranges::find(clocks, method,
                             [](const WatchedClock& each) { return each.synced.clock; });
  };
  // A method that takes ranks in turn is silent for a while; so is the job between readings.
  const Seconds patience =
      kPatience + request.duration + Seconds{static_cast<double>(layout.procs)};
  const launch::JobEnd end = launch::ask(
      command, patience, {request},
      [&](const protocol::JobInfo& job_info) { launch::check_placement(job_info, layout); },
      [&](const protocol::ClockSynced& synced) {
        clocks.push_back({.synced = synced, .offsets = {}});
      },
      [&](const protocol::ClockOffset& offset) { of(offset.clock)->offsets.push_back(offset); });
  if (!end.complete()) throw Error(fmt::format("{} ({})", end.outcome, launch::to_text(command)));
  return clocks;
}

}  // namespace breakeven::session
