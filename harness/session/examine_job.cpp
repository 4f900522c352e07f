// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/examine_job.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/launch/ask.hpp"

namespace breakeven {

Examination examine_job(const Library& library, const JobLayout& layout, Seconds patience) {
  std::vector<NodeFacts> nodes;
  const ChildProcess::Command command = job_command(library, layout);
  const JobEnd end = ask(
      command, patience, {InspectRequest{}},
      [&](const JobInfo& job_info) { check_placement(job_info, layout); },
      [&](const NodeFacts& node) { nodes.push_back(node); });
  if (!end.complete()) {
    throw UsageError(fmt::format("'{}' can't be examined: {}", to_text(command), end.outcome));
  }
  return examined(std::string{library.launcher->library}, std::move(nodes));
}

}  // namespace breakeven
