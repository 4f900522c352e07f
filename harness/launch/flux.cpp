// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "harness/launch/launcher.hpp"

namespace breakeven::launch {

namespace {

namespace fs = std::filesystem;

/// `flux run` inside a Flux instance, which has its own PMI for MPICH and, by a plugin, PMIx for
/// Open MPI. Tasks fill one node after the other unless a task map says otherwise. `mpi=none`
/// avoids Flux's default, a set-up for another vendor's MPI. A node with more tasks than cores is
/// taken whole, because each task gets a core otherwise; where nodes have different numbers of
/// tasks, the user's own arguments place them.
/// @see https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man1/flux-run.html
/// @see
/// https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man7/flux-shell-options.html
ChildProcess::Command flux(std::string_view program, const JobLayout& layout) {
  require_mapping("flux", layout, {Mapping::Kind::seq, Mapping::Kind::rr});
  ChildProcess::Command command{
      .arguments = {std::string{program}, "run", "-N", fmt::format("{}", layout.nodes)}};
  const bool irregular = layout.mapping.kind() == Mapping::Kind::irregular;
  if (layout.oversubscribed && !irregular) {
    command.add({fmt::format("--tasks-per-node={}", layout.procs_per_node), "--exclusive"});
  } else {
    command.add({"-n", fmt::format("{}", layout.procs)});
  }
  command.add({"-o", layout.bound() ? "cpu-affinity=per-task" : "cpu-affinity=off"});
  if (layout.mapping == Mapping::rr) command.add({"--taskmap=cyclic"});
  return command;
}

ChildProcess::Command mpich(std::string_view program, const JobLayout& layout,
                            const fs::path& yield) {
  ChildProcess::Command command = flux(program, layout);
  command.add({"-o", "mpi=none"});
  if (layout.oversubscribed) {
    command.add({fmt::format("--env=LD_PRELOAD={}", yield.string())});
  }
  return command;
}

ChildProcess::Command openmpi(std::string_view program, const JobLayout& layout,
                              const fs::path& /*yield*/) {
  ChildProcess::Command command = flux(program, layout);
  command.add({"-o", "mpi=none", "-o", "pmi=pmix"});
  if (layout.oversubscribed) {
    command.add({"--env=OMPI_MCA_mpi_yield_when_idle=1"});
  }
  return command;
}

}  // namespace

const Launcher flux_mpich{.library = "mpich",
                          .product = "Flux (flux run)",
                          .program = "flux",
                          .command = mpich,
                          .name = "flux"};
const Launcher flux_openmpi{.library = "openmpi",
                            .product = "Flux (flux run, PMIx)",
                            .program = "flux",
                            .command = openmpi,
                            .name = "flux"};

}  // namespace breakeven::launch
