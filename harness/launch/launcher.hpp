// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven::launch {

/// The requested place of a job's processes.
struct JobLayout : NodeLayout {
  bool oversubscribed = false;       ///< more processes than cores on a node
  bool shares_cores = false;         ///< nodes have the same ones: see place_on()
  std::vector<std::string> hosts{};  ///< the nodes' names, for a launcher that needs them

  /// Whether each process gets a core. Launchers place the processes of each node for themselves,
  /// so those of nodes that share cores would all get the first ones.
  [[nodiscard]] bool bound() const { return !oversubscribed && !shares_cores; }
};

/// A program that starts the jobs of one MPI library, and its options.
struct Launcher {
  std::string_view library;  ///< "mpich", also the machine's name and the worker's suffix
  std::string_view product;  ///< "MPICH (Hydra)"
  std::string_view program;  ///< the path that the build found, or its usual name
  /// The arguments and environment for a layout; the worker's program comes after them.
  /// @param yield  the preload library that lets MPICH share cores
  /// @throws UsageError when the launcher has no option for the layout.
  ChildProcess::Command (*command)(std::string_view program, const JobLayout& layout,
                                   const std::filesystem::path& yield);
  std::string_view name{};  ///< for --launcher: "hydra", "srun-pmi2"
};

extern const Launcher hydra;
extern const Launcher openmpi4;
extern const Launcher openmpi5;
extern const Launcher srun_pmi2_mpich;
extern const Launcher srun_pmix_mpich;
extern const Launcher srun_pmi2_openmpi;
extern const Launcher srun_pmix_openmpi;
extern const Launcher pbs;
extern const Launcher flux_mpich;
extern const Launcher flux_openmpi;
extern const Launcher smpi;

/// For a launcher that knows some mappings only. An irregular one is always possible: the launcher
/// gets the number of processes alone, and the user's own arguments place them.
/// @throws UsageError naming the launcher, the requested mapping and the possible ones.
void require_mapping(std::string_view launcher, const JobLayout& layout,
                     std::initializer_list<Mapping::Kind> possible);

/// The libraries' own launchers, of those that this build has a worker for.
[[nodiscard]] std::span<const Launcher* const> launchers();

/// Every launcher that starts jobs of a library: its own first, then those of batch systems, the
/// usual form of each before the others.
[[nodiscard]] std::vector<const Launcher*> launchers_of(std::string_view library);

/// The library's own launcher, whose program is empty in a build without that library.
/// @throws UsageError naming the known libraries when there is no such library.
[[nodiscard]] const Launcher& find_launcher(std::string_view library);

}  // namespace breakeven::launch
