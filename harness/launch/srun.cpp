// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "harness/launch/launcher.hpp"

namespace breakeven::launch {

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

/// Slurm's srun inside an allocation. Without `--input=0` it would copy our input to every rank,
/// and ranks that never read would stop it. The number of tasks of a node is always given: block
/// distribution alone fills the first node as far as its processors go.
/// @see srun(1), https://slurm.schedmd.com/srun.html
ChildProcess::Command srun(std::string_view program, const JobLayout& layout, const char* pmi) {
  ChildProcess::Command command{.arguments = {std::string{program}, fmt::format("--mpi={}", pmi),
                                              "-N", fmt::format("{}", layout.nodes), "-n",
                                              fmt::format("{}", layout.procs)}};
  if (const auto words = distribution(layout.mapping)) {
    command.add({fmt::format("--ntasks-per-node={}", layout.procs_per_node), "-m", *words});
  }
  command.add({"--input=0", "--kill-on-bad-exit=1"});
  if (layout.oversubscribed) command.add({"--overcommit"});
  command.add({fmt::format("--cpu-bind={}", layout.bound() ? "cores" : "none")});
  return command;
}

constexpr char kPmi2[] = "pmi2";
constexpr char kPmix[] = "pmix";

/// A waiting MPICH never gives its core away (harness/yield/); srun itself does not load the
/// library.
template <const char* pmi>
ChildProcess::Command mpich(std::string_view program, const JobLayout& layout,
                            const fs::path& yield) {
  ChildProcess::Command command = srun(program, layout, pmi);
  if (layout.oversubscribed) {
    command.add({fmt::format("--export=ALL,LD_PRELOAD={}", yield.string())});
  }
  return command;
}

/// Without its own mpiexec, Open MPI reads the setting from the environment, which srun passes on.
template <const char* pmi>
ChildProcess::Command openmpi(std::string_view program, const JobLayout& layout,
                              const fs::path& /*yield*/) {
  ChildProcess::Command command = srun(program, layout, pmi);
  if (layout.oversubscribed) command.environment.emplace_back("OMPI_MCA_mpi_yield_when_idle=1");
  return command;
}

}  // namespace

const Launcher srun_pmi2_mpich{.library = "mpich",
                               .product = "Slurm (srun, PMI2)",
                               .program = "srun",
                               .command = mpich<kPmi2>,
                               .name = "srun-pmi2"};
const Launcher srun_pmix_mpich{.library = "mpich",
                               .product = "Slurm (srun, PMIx)",
                               .program = "srun",
                               .command = mpich<kPmix>,
                               .name = "srun-pmix"};
const Launcher srun_pmi2_openmpi{.library = "openmpi",
                                 .product = "Slurm (srun, PMI2)",
                                 .program = "srun",
                                 .command = openmpi<kPmi2>,
                                 .name = "srun-pmi2"};
const Launcher srun_pmix_openmpi{.library = "openmpi",
                                 .product = "Slurm (srun, PMIx)",
                                 .program = "srun",
                                 .command = openmpi<kPmix>,
                                 .name = "srun-pmix"};

}  // namespace breakeven::launch
