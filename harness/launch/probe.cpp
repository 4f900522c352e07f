// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/probe.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/launch/ask.hpp"

namespace breakeven {

Probed probe(const Library& library, const NodeLayout& layout, Seconds patience) {
  NodeLayout asked{.procs = layout.nodes, .nodes = layout.nodes, .procs_per_node = 1};
  if (layout.mapping.kind() == Mapping::Kind::irregular) asked = layout;
  std::optional<Hello> hello;
  std::optional<LibraryOffer> offer;
  const ChildProcess::Command command = job_command(library, {asked});
  const JobEnd end = ask(
      command, patience, {OfferRequest{}}, [&](const Hello& said) { hello = said; },
      [&](const LibraryOffer& said) { offer = said; });
  if (hello && offer && end.complete()) {
    check_placement(*hello, asked);
    return {*hello, *offer};
  }
  throw UsageError(fmt::format("'{}' can't start a job: {}", to_text(command), end.outcome));
}

}  // namespace breakeven
