// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/sweep_options.hpp"
#include "core/folded.hpp"
#include "harness/session/look.hpp"
#include "harness/session/target.hpp"

namespace breakeven::cli::launch_command {

namespace {

struct Options {
  SweepOptions sweep;
  int cores = 0;  // of a node; 0: this host's
  bool dry_run = false;
};

int run(const Options& options) {
  session::SweepRequest request = asked_request(options.sweep);
  request.doctor = false;  // so that the library's settings are named before the first job
  session::check_library_sweep(request.sweep);
  Progress progress{0};
  const session::Target target = options.dry_run ? session::describe_target(request, options.cores)
                                                 : session::find_target(request, progress);
  if (options.dry_run && !target.library.why.empty()) progress.say(target.library.why);
  const auto commands = target.commands(request.sweep);  // all or none
  for (std::size_t i = 0; i < commands.size(); ++i) {
    fmt::print("{}\n", launch::to_text(commands[i]));
    if (options.dry_run) continue;
    const protocol::JobInfo found = session::where_ranks_are(commands[i], request.patience);
    fmt::print("  {}{}\n", folded_placement(found.hosts),
               found.shares_memory ? "" : "; the library shares no memory between ranks of a node");
    launch::check_placement(found, plan::jobs_of(request.sweep)[i]);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_settings(app, options->sweep,
               std::array<std::string_view, 5>{"machine", "procs", "nodes", "layouts", "mapping"});
  add_launcher_options(app, options->sweep.request.launcher);
  CLI::Option* dry_run =
      app.add_flag("--dry-run", options->dry_run,
                   "only print the command for each process count; needs no MPI library");
  add(app, "--cores", options->cores,
      "in a dry run, cores of a node; more processes than that oversubscribe it [this host's]")
      ->check(CLI::PositiveNumber.description(""))
      ->needs(dry_run);
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::launch_command

const breakeven::cli::Command breakeven::cli::kLaunch{
    .name = "launch",
    .summary = "Start a job as a sweep does, and print the node of each rank",
    .examples = R"(
Exit status: 2 if the job cannot be started, or its ranks are not on the requested nodes.
Examples:
  breakeven launch --machine mpich --procs 2,4
  breakeven launch --machine openmpi --procs 64 --nodes 8 --mapping rr --dry-run
  breakeven launch --machine mpich --procs 64 --nodes 8 --cores 8 --launcher flux --dry-run
  breakeven launch --machine mpich --procs 8 --nodes 2 --launcher-args "-f hosts")",
    .setup = launch_command::setup};
