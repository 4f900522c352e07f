// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/launch/ask.hpp"

namespace breakeven::launch {

Probed probe(const Library& library, const NodeLayout& layout, Seconds patience) {
  NodeLayout asked{.procs = layout.nodes, .nodes = layout.nodes, .procs_per_node = 1};
  if (layout.mapping.kind() == Mapping::Kind::irregular) asked = layout;
  std::optional<protocol::JobInfo> job_info;
  std::optional<LibraryCapabilities> capabilities;
  const ChildProcess::Command command = job_command(library, {asked});
  const JobEnd end = ask(
      command, patience, {protocol::CapabilitiesRequest{}},
      [&](const protocol::JobInfo& said) { job_info = said; },
      [&](const LibraryCapabilities& said) { capabilities = said; });
  if (job_info && capabilities && end.complete()) {
    check_placement(*job_info, asked);
    return {*job_info, *capabilities, command};
  }
  throw UsageError(fmt::format("the job '{}' failed: {}", to_text(command), end.outcome));
}

}  // namespace breakeven::launch
