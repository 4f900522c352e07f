// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "harness/launch/job.hpp"

namespace breakeven::launch {

/// Starts a job for a few requests, and gives its events to those `handlers` that take them.
/// @param patience  silence after which the job counts as hung
/// @throws as run_job() does
template <typename... Handlers>
[[nodiscard]] JobEnd ask(const ChildProcess::Command& command, Seconds patience,
                         const std::vector<protocol::WorkerRequest>& requests,
                         Handlers... handlers) {
  const protocol::Match follow{std::move(handlers)..., [](const auto&) {}};
  auto request = requests.begin();
  const auto next = [&]() -> std::optional<protocol::WorkerRequest> {
    if (request == requests.end()) return std::nullopt;
    return *request++;
  };
  return run_job(command, patience, next,
                 [&](const protocol::WorkerEvent& event) { std::visit(follow, event); });
}

struct Probed {
  protocol::JobInfo job_info{};
  LibraryCapabilities capabilities{};
  ChildProcess::Command command{};  ///< of the job
};

/// Starts one process on each node, all processes under an irregular mapping, and asks for the
/// facts about library and nodes. It shows that jobs start, and on the requested number of nodes.
/// @param patience  silence after which the job counts as hung
/// @throws UsageError when a job can't be started or placed so.
[[nodiscard]] Probed probe(const Library& library, const NodeLayout& layout, Seconds patience);

}  // namespace breakeven::launch
