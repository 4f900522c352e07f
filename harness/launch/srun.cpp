// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "harness/launch/launcher.hpp"

namespace breakeven {

namespace {

namespace fs = std::filesystem;

/// Slurm's word for a mapping; none for an irregular one.
std::optional<std::string> distribution(const Mapping& mapping) {
  switch (mapping.kind()) {
    case Mapping::Kind::seq: return "block";
    case Mapping::Kind::rr: return "cyclic";
    case Mapping::Kind::blocked: return fmt::format("plane={}", mapping.block());
    case Mapping::Kind::irregular: break;
  }
  return std::nullopt;
}

/// Slurm's srun inside an allocation. `--input=0`: by itself it would copy what we write to every
/// rank, and those that never read it would stop it. The tasks of a node are always said: block
/// distribution alone fills the first node as far as its processors go.
/// @see srun(1), https://slurm.schedmd.com/srun.html
ChildProcess::Command srun(std::string_view program, const JobLayout& layout, const char* pmi) {
  ChildProcess::Command command{
      .arguments = {std::string{program}, fmt::format("--mpi={}", pmi), "-N",
                    fmt::format("{}", layout.nodes), "-n", fmt::format("{}", layout.procs)},
      .environment = {}};
  if (const auto words = distribution(layout.mapping)) {
    command.arguments.insert(
        command.arguments.end(),
        {fmt::format("--ntasks-per-node={}", layout.procs_per_node), "-m", *words});
  }
  command.arguments.insert(command.arguments.end(), {"--input=0", "--kill-on-bad-exit=1"});
  if (layout.oversubscribed) {
    command.arguments.insert(command.arguments.end(), {"--overcommit", "--cpu-bind=none"});
  } else {
    command.arguments.emplace_back("--cpu-bind=cores");
  }
  return command;
}

/// MPICH never gives its core away while it waits (harness/yield/); for the ranks alone, because
/// srun has nothing to do with it.
ChildProcess::Command for_mpich(ChildProcess::Command command, const JobLayout& layout,
                                const fs::path& yield) {
  if (layout.oversubscribed) {
    command.arguments.push_back(fmt::format("--export=ALL,LD_PRELOAD={}", yield.string()));
  }
  return command;
}

/// Without its own mpiexec Open MPI is told by the environment, which srun hands on.
ChildProcess::Command for_openmpi(ChildProcess::Command command, const JobLayout& layout) {
  if (layout.oversubscribed) command.environment.emplace_back("OMPI_MCA_mpi_yield_when_idle=1");
  return command;
}

ChildProcess::Command mpich_pmi2(std::string_view program, const JobLayout& layout,
                                 const fs::path& yield) {
  return for_mpich(srun(program, layout, "pmi2"), layout, yield);
}

ChildProcess::Command mpich_pmix(std::string_view program, const JobLayout& layout,
                                 const fs::path& yield) {
  return for_mpich(srun(program, layout, "pmix"), layout, yield);
}

ChildProcess::Command openmpi_pmi2(std::string_view program, const JobLayout& layout,
                                   const fs::path& /*yield*/) {
  return for_openmpi(srun(program, layout, "pmi2"), layout);
}

ChildProcess::Command openmpi_pmix(std::string_view program, const JobLayout& layout,
                                   const fs::path& /*yield*/) {
  return for_openmpi(srun(program, layout, "pmix"), layout);
}

}  // namespace

const Launcher srun_pmi2_mpich{.library = "mpich",
                               .product = "Slurm (srun, PMI2)",
                               .program = "srun",
                               .command = mpich_pmi2,
                               .name = "srun-pmi2"};
const Launcher srun_pmix_mpich{.library = "mpich",
                               .product = "Slurm (srun, PMIx)",
                               .program = "srun",
                               .command = mpich_pmix,
                               .name = "srun-pmix"};
const Launcher srun_pmi2_openmpi{.library = "openmpi",
                                 .product = "Slurm (srun, PMI2)",
                                 .program = "srun",
                                 .command = openmpi_pmi2,
                                 .name = "srun-pmi2"};
const Launcher srun_pmix_openmpi{.library = "openmpi",
                                 .product = "Slurm (srun, PMIx)",
                                 .program = "srun",
                                 .command = openmpi_pmix,
                                 .name = "srun-pmix"};

}  // namespace breakeven
