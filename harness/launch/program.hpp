// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/launch/child_process.hpp"

namespace breakeven::launch {

/// "mpiexec", "mpirun.openmpi", "/opt/bin/mpiexec.hydra"
[[nodiscard]] bool is_mpiexec(const std::string& program);

/// Whether a program is known as one that starts MPI jobs: mpiexec and its kin, srun, flux.
[[nodiscard]] bool is_launcher(const std::string& program);

/// A user's command that starts an MPI program, with variables in the environment of its ranks.
/// mpiexec and its kin get them as their first options; all other programs pass their own
/// environment on, as srun and flux do. Where the command's own words set LD_PRELOAD, as
/// `-genv LD_PRELOAD X`, `-x LD_PRELOAD=X` or `--export=ALL,LD_PRELOAD=X`, our library comes first.
/// @param library  "mpich", "openmpi": the library of this mpiexec
/// @param variables  "NAME=value"
[[nodiscard]] ChildProcess::Command with_environment(std::vector<std::string> command,
                                                     std::string_view library,
                                                     const std::vector<std::string>& variables);

/// The library to be preloaded into programs of an MPI library.
/// @throws UsageError when it is not where this program was built or installed.
[[nodiscard]] std::filesystem::path preload_library(std::string_view library);

/// Runs a command as a shell would, with our standard input and output. The command alone answers
/// signals from the terminal.
/// @param quiet  its standard output is dropped, and it has no input
/// @param started  called once it runs; threads must not begin earlier
/// @return its exit status; 128 and its number after a signal; 127, with a message, when it can't
///         be started
[[nodiscard]] int run_in_foreground(const ChildProcess::Command& command, bool quiet = false,
                                    const std::function<void()>& started = {});

/// The facts about a user's command that are known before it starts. Programs that a script or
/// another program starts in turn are unknown.
struct CommandFacts {
  std::string missing{};   ///< why its program can't be run on this node; empty: it can, or the
                           ///< word that names it is not known
  std::string launcher{};  ///< its word for mpiexec, of a known library; empty: none
  std::string launches{};  ///< the library of that mpiexec: "mpich", "openmpi"
  /// The first MPI program among its words, of each part between colons, and the library to which
  /// it is linked: directly, or by other libraries.
  std::vector<std::pair<std::string, std::string>> programs{};
};

/// Asks ldd and the launcher's --version.
[[nodiscard]] CommandFacts facts_of(const std::vector<std::string>& command);

}  // namespace breakeven::launch
