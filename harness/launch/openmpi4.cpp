// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include "harness/launch/launcher.hpp"
#include "harness/launch/paths.hpp"

namespace breakeven {

namespace {

/// Open MPI's mpiexec up to version 4.1. On several nodes the number of processes on each is said
/// (`ppr`), so that it doesn't depend on the slots of a host file; ranked by slot they fill a node
/// before the next one, by node they are dealt out. Who runs us as root has already decided what
/// its two variables ask.
/// @see mpirun(1) of Open MPI 4.1, "Mapping, Ranking, and Binding"
ChildProcess::Command command(std::string_view program, const JobLayout& layout,
                              const std::filesystem::path& /*yield*/) {
  require_mapping("openmpi4", layout, {Mapping::Kind::seq, Mapping::Kind::rr});
  ChildProcess::Command command{
      .arguments = {std::string{program}, "-n", fmt::format("{}", layout.procs)},
      .environment = {}};
  const bool one_node = layout.nodes == 1;
  if (layout.mapping.kind() == Mapping::Kind::irregular) {
    if (layout.oversubscribed) command.arguments.emplace_back("--oversubscribe");
  } else {
    command.arguments.insert(
        command.arguments.end(),
        {"--map-by",
         fmt::format("{}{}", one_node ? "slot" : fmt::format("ppr:{}:node", layout.procs_per_node),
                     layout.oversubscribed ? ":OVERSUBSCRIBE" : "")});
  }
  if (!one_node && layout.mapping.kind() != Mapping::Kind::irregular) {
    command.arguments.insert(command.arguments.end(),
                             {"--rank-by", layout.mapping == Mapping::seq ? "slot" : "node"});
  }
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

const Launcher openmpi4{.library = "openmpi",
                        .product = "Open MPI (mpiexec)",
                        .program = kOpenmpiProgram,
                        .command = command,
                        .name = "openmpi4"};

}  // namespace breakeven
