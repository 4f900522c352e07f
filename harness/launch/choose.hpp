// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "harness/launch/launcher.hpp"

namespace breakeven::launch {

/// A launcher, and the program to call.
struct ChosenLauncher {
  const Launcher* launcher = nullptr;
  std::string program{};
  std::string why{};  ///< the reason, if it is neither named by the user nor the library's own
};

/// The launcher that a user means.
/// @param word  one of launchers_of(library) by name ("srun": its usual form for the library),
///              NAME=PROGRAM, or a program, which is then asked as the library's own launcher is.
///              Empty: srun inside a Slurm allocation, where srun speaks the library's PMI, else
///              the library's own.
/// @param mpiexec  the library's own; empty: the one that the build found
/// @throws UsageError naming the launchers of the library when it is none of these.
[[nodiscard]] ChosenLauncher choose_launcher(std::string_view library, const std::string& word,
                                             const std::string& mpiexec = "");

/// Where a shell would find a program that it could run; empty: nowhere.
[[nodiscard]] std::string path_of(const std::string& program);
[[nodiscard]] inline bool runnable(const std::string& program) { return !path_of(program).empty(); }

/// The output of a program, its lines joined by blanks; empty where it can't be started.
[[nodiscard]] std::string output_of(const ChildProcess::Command& command);

/// Whether an Open MPI with this output of `mpiexec --version` takes the options of openmpi5.
[[nodiscard]] bool is_prrte(std::string_view version);

}  // namespace breakeven::launch
