// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/probe.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace breakeven {

Hello probe(const Library& library, const NodeLayout& layout, Seconds patience) {
  NodeLayout asked{.procs = layout.nodes, .nodes = layout.nodes, .procs_per_node = 1};
  if (layout.mapping.kind() == Mapping::Kind::irregular) asked = layout;
  std::optional<Hello> found;
  const Match follow{[&](const Hello& hello) { found = hello; }, [](const auto&) {}};
  const ChildProcess::Command command = job_command(library, {asked});
  const JobEnd end = run_job(
      command, patience, [] { return std::nullopt; },
      [&](const WorkerEvent& event) { std::visit(follow, event); });
  if (found && end.complete()) {
    check_placement(*found, asked);
    return *found;
  }
  throw UsageError(fmt::format("'{}' can't start a job: {}", to_text(command), end.outcome));
}

}  // namespace breakeven
