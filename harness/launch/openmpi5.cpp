// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include "harness/launch/launcher.hpp"
#include "harness/launch/paths.hpp"

namespace breakeven {

namespace {

/// Open MPI's mpiexec from version 5 on, which is PRRTE's prterun: it always maps by a pattern of
/// processes per node and ranks them apart from that.
/// @see https://docs.open-mpi.org/en/v5.0.x/man-openmpi/man1/mpirun.1.html
ChildProcess::Command command(std::string_view program, const JobLayout& layout,
                              const std::filesystem::path& /*yield*/) {
  require_mapping("openmpi5", layout, {Mapping::Kind::seq, Mapping::Kind::rr});
  ChildProcess::Command command{
      .arguments = {std::string{program}, "-n", fmt::format("{}", layout.procs)},
      .environment = {}};
  if (layout.mapping.kind() != Mapping::Kind::irregular) {
    command.arguments.insert(command.arguments.end(),
                             {"--map-by",
                              fmt::format("ppr:{}:node{}", layout.procs_per_node,
                                          layout.oversubscribed ? ":OVERSUBSCRIBE" : ""),
                              "--rank-by", layout.mapping == Mapping::seq ? "slot" : "node"});
  }
  if (layout.oversubscribed) {
    command.arguments.insert(command.arguments.end(),
                             {"--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"});
  } else {
    command.arguments.insert(command.arguments.end(), {"--bind-to", "core"});
  }
  if (geteuid() == 0) {
    command.environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                           "PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
  }
  return command;
}

}  // namespace

const Launcher openmpi5{.library = "openmpi",
                        .product = "Open MPI 5 (PRRTE)",
                        .program = kOpenmpiProgram,
                        .command = command,
                        .name = "openmpi5"};

}  // namespace breakeven
