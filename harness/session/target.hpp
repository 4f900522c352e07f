// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/launch.hpp"
#include "harness/launch/job.hpp"
#include "harness/plan/cost.hpp"
#include "harness/session/run_sweep.hpp"

namespace breakeven::session {

/// What a sweep measures, found and shown to start.
struct Target {
  launch::Library library{};
  protocol::JobInfo host{};  ///< what one process on each node said; its cores are those of a node
  Machine machine{};
  LibraryCapabilities capabilities{};  ///< what the library has itself
  Seconds took{};                      ///< by the first job, from start to end
  bool simulated = false;

  /// What that says of how long launches take.
  [[nodiscard]] plan::Forecast forecast(const plan::Sweep& sweep) const;
  /// What starts the sweep's job at each of its process counts.
  /// @throws UsageError where the launcher can't say a mapping
  [[nodiscard]] std::vector<launch::ChildProcess::Command> commands(const plan::Sweep& sweep) const;
};

/// Of an MPI library, on real nodes or simulated ones. Says when its launcher is another than the
/// library's own.
/// @throws UsageError when the sweep's machine isn't there or can't start a job on its nodes.
[[nodiscard]] Target find_target(const SweepRequest& request, Listener& listener);

/// Its library and cores alone, to say how jobs would be started; the library need not be there,
/// but for SimGrid, which knows a platform's hosts.
/// @param cores  of a real node; 0: as many as this host has
/// @throws UsageError when there is no such machine, launcher or platform.
[[nodiscard]] Target describe_target(const SweepRequest& request, int cores);

}  // namespace breakeven::session
