// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "harness/launch/job.hpp"

namespace breakeven::launch {

struct Probed {
  protocol::JobInfo job_info{};
  LibraryCapabilities capabilities{};
  ChildProcess::Command command{};  ///< that was run
};

/// Asks one process on each node what the library is and runs on; where nodes are the user's to
/// place, all processes. Shows too that jobs start at all, and on as many nodes as were asked for.
/// @param patience  silence after which the job counts as hung
/// @throws UsageError when a job can't be started or placed so.
[[nodiscard]] Probed probe(const Library& library, const NodeLayout& layout, Seconds patience);

}  // namespace breakeven::launch
