// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/examine_job.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/launch/ask.hpp"
#include "harness/session/library_settings.hpp"

namespace breakeven::session {

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

}  // namespace breakeven::session
