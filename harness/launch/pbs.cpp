// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "core/error.hpp"
#include "harness/launch/launcher.hpp"

namespace breakeven::launch {

namespace {

/// The mpiexec of HPE's PALS, which starts jobs inside a PBS allocation on Cray systems, for MPICH
/// and its descendants. It fills one node after the other and has no option for another order. On
/// other PBS systems the libraries' own launchers find the allocation themselves.
/// @see mpiexec(1) of PALS; https://docs.alcf.anl.gov/polaris/running-jobs/
ChildProcess::Command pals_command(std::string_view program, const JobLayout& layout,
                                   const std::filesystem::path& yield) {
  require_mapping("pbs", layout, {Mapping::Kind::seq});
  ChildProcess::Command command{
      .arguments = {std::string{program}, "-n", fmt::format("{}", layout.procs)}};
  if (layout.mapping == Mapping::seq) {
    command.add({"--ppn", fmt::format("{}", layout.procs_per_node)});
  }
  command.add({"--cpu-bind", layout.bound() ? "core" : "none"});
  if (layout.oversubscribed) {
    command.add({"--env", fmt::format("LD_PRELOAD={}", yield.string())});
  }
  return command;
}

}  // namespace

const Launcher pbs{.library = "mpich",
                   .product = "PBS (HPE PALS mpiexec)",
                   .program = "mpiexec",
                   .command = pals_command,
                   .name = "pbs"};

}  // namespace breakeven::launch
