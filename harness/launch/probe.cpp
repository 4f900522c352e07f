// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/probe.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"

namespace breakeven {

Probed probe(const Library& library, const NodeLayout& layout, Seconds patience) {
  NodeLayout asked{.procs = layout.nodes, .nodes = layout.nodes, .procs_per_node = 1};
  if (layout.mapping.kind() == Mapping::Kind::irregular) asked = layout;
  std::optional<Hello> hello;
  std::optional<LibraryOffer> offer;
  const Match follow{[&](const Hello& said) { hello = said; },
                     [&](const LibraryOffer& said) { offer = said; }, [](const auto&) {}};
  bool asked_already = false;
  const auto ask = [&]() -> std::optional<WorkerRequest> {
    if (std::exchange(asked_already, true)) return std::nullopt;
    return OfferRequest{};
  };
  const ChildProcess::Command command = job_command(library, {asked});
  const JobEnd end =
      run_job(command, patience, ask, [&](const WorkerEvent& event) { std::visit(follow, event); });
  if (hello && offer && end.complete()) {
    check_placement(*hello, asked);
    return {*hello, *offer};
  }
  throw UsageError(fmt::format("'{}' can't start a job: {}", to_text(command), end.outcome));
}

}  // namespace breakeven
