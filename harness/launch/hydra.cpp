// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "harness/launch/launcher.hpp"
#include "harness/launch/paths.hpp"

namespace breakeven {

namespace {

/// MPICH's mpiexec: `-ppn` processes go to a node before the next one, so 1 deals them out.
/// @see
/// https://github.com/pmodels/mpich/blob/main/doc/wiki/how_to/Using_the_Hydra_Process_Manager.md
ChildProcess::Command command(std::string_view program, const JobLayout& layout,
                              const std::filesystem::path& yield) {
  const int in_turn = layout.mapping == Mapping::seq ? layout.procs_per_node : 1;
  ChildProcess::Command command{
      .arguments = {std::string{program}, "-n", fmt::format("{}", layout.procs), "-ppn",
                    fmt::format("{}", in_turn)},
      .environment = {}};
  if (layout.oversubscribed) {
    // MPICH never gives its core away while it waits: see harness/yield/.
    command.arguments.insert(command.arguments.end(),
                             {"-bind-to", "none", "-genv", "LD_PRELOAD", yield.string()});
  } else {
    command.arguments.insert(command.arguments.end(), {"-bind-to", "core"});
  }
  return command;
}

}  // namespace

const Launcher hydra{.library = "mpich",
                     .product = "MPICH (Hydra)",
                     .program = kHydraProgram,
                     .command = command,
                     .name = "hydra"};

}  // namespace breakeven
