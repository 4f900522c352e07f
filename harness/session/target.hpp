// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/launch.hpp"
#include "harness/launch/job.hpp"
#include "harness/plan/cost.hpp"
#include "harness/session/run_sweep.hpp"

namespace breakeven::session {

/// The machine of a sweep, found and shown to start.
struct Target {
  launch::Library library{};
  protocol::JobInfo host{};  ///< from the first job; its cores are those of a node
  Machine machine{};
  LibraryCapabilities capabilities{};  ///< the library's own algorithms
  Seconds took{};                      ///< time of the first job, from start to end
  NodeLayout probed{};                 ///< of the first job
  bool simulated = false;

  /// The forecast that follows from the first job.
  [[nodiscard]] plan::Forecast forecast(const plan::Sweep& sweep) const;
  /// The command of the sweep's job at each of its process counts.
  /// @throws UsageError where the launcher has no option for a mapping
  [[nodiscard]] std::vector<launch::ChildProcess::Command> commands(const plan::Sweep& sweep) const;
};

/// Finds an MPI library, on real nodes or simulated ones. Tells the listener when the launcher is
/// not the library's own.
/// @throws UsageError when the sweep's machine isn't there or can't start a job on its nodes.
[[nodiscard]] Target find_target(const SweepRequest& request, Listener& listener);

/// Its library and cores alone, to print the commands of jobs; the library need not exist, except
/// for SimGrid, which knows a platform's hosts.
/// @param cores  of a real node; 0: those of this host
/// @throws UsageError when there is no such machine, launcher or platform.
[[nodiscard]] Target describe_target(const SweepRequest& request, int cores);

}  // namespace breakeven::session
