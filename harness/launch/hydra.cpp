// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "harness/launch/install_paths.hpp"
#include "harness/launch/launcher.hpp"

namespace breakeven::launch {

namespace {

/// The number of consecutive ranks on a node; nothing for an irregular mapping.
std::optional<int> ranks_in_turn(const JobLayout& layout) {
  switch (layout.mapping.kind()) {
    case Mapping::Kind::seq: return layout.procs_per_node;
    case Mapping::Kind::rr: return 1;
    case Mapping::Kind::blocked: return layout.mapping.block();
    case Mapping::Kind::irregular: break;
  }
  return std::nullopt;
}

/// MPICH's mpiexec puts `-ppn` processes on a node before the next one, so that 1 deals them out.
/// @see
/// https://github.com/pmodels/mpich/blob/main/doc/wiki/how_to/Using_the_Hydra_Process_Manager.md
ChildProcess::Command hydra_command(std::string_view program, const JobLayout& layout,
                                    const std::filesystem::path& yield) {
  ChildProcess::Command command{
      .arguments = {std::string{program}, "-n", fmt::format("{}", layout.procs)}};
  if (const auto in_turn = ranks_in_turn(layout)) {
    command.add({"-ppn", fmt::format("{}", *in_turn)});
  }
  command.add({"-bind-to", layout.bound() ? "core" : "none"});
  // A waiting MPICH never gives its core away: see harness/yield/.
  if (layout.oversubscribed) command.add({"-genv", "LD_PRELOAD", yield.string()});
  return command;
}

}  // namespace

const Launcher hydra{.library = "mpich",
                     .product = "MPICH (Hydra)",
                     .program = kHydraProgram,
                     .command = hydra_command,
                     .name = "hydra"};

}  // namespace breakeven::launch
