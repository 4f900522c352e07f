// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include "harness/launch/launcher.hpp"
#include "harness/launch/paths.hpp"

namespace breakeven {

namespace {

/// Open MPI's mpiexec: mapped by slot a node is filled before the next one, by node they are dealt
/// out. Who runs us as root has already decided what its two variables ask.
/// @see mpirun(1) of Open MPI 4.1, "Mapping, Ranking, and Binding"
ChildProcess::Command command(std::string_view program, const JobLayout& layout,
                              const std::filesystem::path& /*yield*/) {
  const bool seq = layout.mapping == Mapping::seq;
  ChildProcess::Command command{
      .arguments = {std::string{program}, "-n", fmt::format("{}", layout.procs), "--map-by",
                    fmt::format("{}{}", seq ? "slot" : "node",
                                layout.oversubscribed ? ":OVERSUBSCRIBE" : "")},
      .environment = {}};
  if (layout.oversubscribed) {
    command.arguments.insert(command.arguments.end(),
                             {"--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"});
  } else {
    command.arguments.insert(command.arguments.end(), {"--bind-to", "core"});
  }
  if (geteuid() == 0) {
    command.environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
  }
  return command;
}

}  // namespace

const Launcher openmpi{.library = "openmpi",
                       .product = "Open MPI (mpiexec)",
                       .program = kOpenmpiProgram,
                       .command = command};

}  // namespace breakeven
