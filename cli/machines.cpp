// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "harness/launch/job.hpp"
#include "harness/launch/paths.hpp"
#include "sim/machine.hpp"

namespace breakeven::cli::machines_command {

namespace {

int run() {
  for (const launch::Launcher* launcher : launch::launchers()) {
    std::string state = "ready";
    try {
      static_cast<void>(launch::find_library(launcher->library, launch::workers_folder(), {}));
    } catch (const UsageError& error) {
      state = error.what();
    }
    fmt::print("{:<10} {:<20} {:<28} {}\n", launcher->library, launcher->product, launcher->program,
               state);
  }
  if (launch::launchers().empty()) {
    fmt::print("no MPI library: this build found none, so it can measure models only\n");
  }
  fmt::print("\nModels, by --machine MODEL:KEY=VALUE,...; ,noise=0.02,seed=1 adds seeded noise:\n");
  for (const std::string_view name : sim::model_names()) {
    fmt::print("  {}\n", sim::form_of(name));
  }
  fmt::print("smpi needs a platform: --machine smpi:PLATFORM.xml[,hosts=8][,mapping=rr]\n");
  return 0;
}

std::function<int()> setup(CLI::App&) { return run; }

}  // namespace

const Command command{.name = "machines",
                      .summary = "List what can be measured: the MPI libraries found, cost models",
                      .examples = "\nExample:\n  breakeven machines",
                      .setup = setup};

}  // namespace breakeven::cli::machines_command
