// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven {

/// Where a job's processes shall run.
struct JobLayout {
  int procs = 1;
  int nodes = 1;
  int procs_per_node = 1;
  Mapping mapping = Mapping::seq;
  bool oversubscribed = false;       ///< more processes than cores on a node
  std::vector<std::string> hosts{};  ///< the nodes' names, where a launcher has to be told them
};

/// The program that starts the jobs of one MPI library, and how it wants to be asked.
struct Launcher {
  std::string_view library;  ///< "mpich", also the machine's name and the worker's suffix
  std::string_view product;  ///< "MPICH (Hydra)"
  std::string_view program;  ///< where the build found it
  /// The arguments and environment that put a job there.
  /// @param yield  the preload library that lets MPICH share cores
  ChildProcess::Command (*command)(std::string_view program, const JobLayout& layout,
                                   const std::filesystem::path& yield);
};

extern const Launcher hydra;
extern const Launcher openmpi;
extern const Launcher smpi;

/// The launchers of the MPI libraries that this build has a worker for.
[[nodiscard]] std::span<const Launcher* const> launchers();

/// @throws UsageError naming the known libraries when there is no worker for `library`.
[[nodiscard]] const Launcher& find_launcher(std::string_view library);

}  // namespace breakeven
