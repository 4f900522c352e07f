// SPDX-License-Identifier: BSD-3-Clause
#include "cli/launcher_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "harness/launch/paths.hpp"

namespace breakeven::cli {

void add_launcher_options(CLI::App& app, launch::LauncherOptions& options) {
  app.add_option("--worker", options.worker,
                 "folder of `breakeven worker build`, for another MPI installation [the workers "
                 "that were installed]");
  app.add_option("--launcher", options.launcher,
                 "program that starts MPI jobs: hydra, openmpi4, openmpi5, srun, srun-pmi2, "
                 "srun-pmix, pbs, flux, each also as NAME=PROGRAM; or the path of an mpiexec [srun "
                 "inside a Slurm allocation, else the library's mpiexec]");
  app.add_option("--launcher-args", options.arguments,
                 "arguments of the launcher: --launcher-args \"-f hosts\"")
      ->allow_extra_args(false);
}

launch::Library ready_library(const std::string& machine, const launch::LauncherOptions& options) {
  launch::Library library = launch::find_library(machine, launch::workers_folder(), options);
  if (!library.why.empty()) fmt::print(stderr, "{}\n", library.why);
  return library;
}

}  // namespace breakeven::cli
