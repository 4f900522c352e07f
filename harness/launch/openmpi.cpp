// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include "harness/launch/install_paths.hpp"
#include "harness/launch/launcher.hpp"

namespace breakeven::launch {

namespace {

namespace fs = std::filesystem;

/// The part that both versions share: without a place for the ranks yet.
ChildProcess::Command begun(std::string_view launcher, std::string_view program,
                            const JobLayout& layout) {
  require_mapping(launcher, layout, {Mapping::Kind::seq, Mapping::Kind::rr});
  ChildProcess::Command command{
      .arguments = {std::string{program}, "-n", fmt::format("{}", layout.procs)}};
  // A user who runs us as root has already confirmed it.
  if (geteuid() == 0) {
    command.environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
  }
  return command;
}

void bind(ChildProcess::Command& command, const JobLayout& layout) {
  command.add({"--bind-to", layout.bound() ? "core" : "none"});
  if (layout.oversubscribed) command.add({"--mca", "mpi_yield_when_idle", "1"});
}

std::string_view sharing(const JobLayout& layout) {
  return layout.oversubscribed ? ":OVERSUBSCRIBE" : "";
}

/// A number of processes on each node, whatever the slots of a host file are; ranked by slot they
/// fill one node after the other, by node they are dealt out.
void add_pattern(ChildProcess::Command& command, const JobLayout& layout) {
  command.add({"--map-by", fmt::format("ppr:{}:node{}", layout.procs_per_node, sharing(layout)),
               "--rank-by", layout.mapping == Mapping::seq ? "slot" : "node"});
}

/// Open MPI's mpiexec up to version 4.1.
/// @see mpirun(1) of Open MPI 4.1, "Mapping, Ranking, and Binding"
ChildProcess::Command version_4(std::string_view program, const JobLayout& layout,
                                const fs::path& /*yield*/) {
  ChildProcess::Command command = begun("openmpi4", program, layout);
  const bool one_node = layout.nodes == 1;
  if (layout.mapping.kind() == Mapping::Kind::irregular) {
    if (layout.oversubscribed) command.add({"--oversubscribe"});
  } else if (one_node) {
    command.add({"--map-by", fmt::format("slot{}", sharing(layout))});
  } else {
    add_pattern(command, layout);
  }
  bind(command, layout);
  return command;
}

/// Open MPI's mpiexec from version 5 on, which is PRRTE's prterun: it always maps by a pattern of
/// processes per node, and ranks them by another option.
/// @see https://docs.open-mpi.org/en/v5.0.x/man-openmpi/man1/mpirun.1.html
ChildProcess::Command version_5(std::string_view program, const JobLayout& layout,
                                const fs::path& /*yield*/) {
  ChildProcess::Command command = begun("openmpi5", program, layout);
  if (layout.mapping.kind() != Mapping::Kind::irregular) add_pattern(command, layout);
  bind(command, layout);
  if (geteuid() == 0) {
    for (const char* variable : {"PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1"}) {
      command.environment.emplace_back(variable);
    }
  }
  return command;
}

}  // namespace

const Launcher openmpi4{.library = "openmpi",
                        .product = "Open MPI (mpiexec)",
                        .program = kOpenmpiProgram,
                        .command = version_4,
                        .name = "openmpi4"};
const Launcher openmpi5{.library = "openmpi",
                        .product = "Open MPI 5 (PRRTE)",
                        .program = kOpenmpiProgram,
                        .command = version_5,
                        .name = "openmpi5"};

}  // namespace breakeven::launch
