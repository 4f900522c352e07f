// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/progress.hpp"
#include "cli/sweep_options.hpp"
#include "core/error.hpp"
#include "core/folded.hpp"
#include "harness/doctor/host.hpp"
#include "harness/launch/ask.hpp"
#include "harness/protocol/cpu_set.hpp"
#include "harness/session/target.hpp"
#include "libraries/library_algorithm.hpp"
#include "sim/machine.hpp"

namespace breakeven::cli::launch_command {

namespace {

struct Options {
  SweepOptions sweep;
  int cores = 0;  // of a node; 0: this host's
  bool dry_run = false;
};

/// Starts a job that only says where it is.
void start(const launch::ChildProcess::Command& command, const NodeLayout& layout,
           Seconds patience) {
  std::optional<protocol::JobInfo> found;
  const launch::JobEnd end = launch::ask(
      command, patience, {}, [&](const protocol::JobInfo& job_info) { found = job_info; });
  if (!found || !end.complete()) {
    throw UsageError(fmt::format("the job '{}' failed: {}", launch::to_text(command), end.outcome));
  }
  fmt::print("  {}\n", folded_placement(found->hosts));
  launch::check_placement(*found, layout);
}

session::Target target_of(const Options& options, const session::SweepRequest& request) {
  Progress progress{0};
  if (!options.dry_run) return session::find_target(request, progress);
  const auto cpus = protocol::allowed_cpus(0);
  session::Target target = session::describe_target(
      request,
      options.cores > 0 ? options.cores : protocol::usable_cores(doctor::read_host(cpus).cpus));
  if (!target.library.why.empty()) progress.say(target.library.why);
  return target;
}

int run(const Options& options) {
  session::SweepRequest request = asked_request(options.sweep);
  request.doctor = false;  // so that the library's settings are named before the first job
  const plan::Sweep& sweep = request.sweep;
  if (sim::is_model(sweep.machine)) {
    throw UsageError(
        fmt::format("'{}' is a model, which starts no jobs; possible: mpich, openmpi, "
                    "smpi:PLATFORM.xml",
                    sweep.machine));
  }
  plan::check_sweep(sweep, MachineKind::library, libraries::known_capabilities(sweep.machine));
  const session::Target target = target_of(options, request);
  std::vector<launch::ChildProcess::Command> commands;  // all or none
  for (const int procs : sweep.procs) {
    const NodeLayout layout = plan::layout_of(sweep, procs);
    commands.push_back(launch::job_command(
        target.library, {layout, launch::oversubscribed(target.host, layout.procs_per_node)}));
  }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    fmt::print("{}\n", launch::to_text(commands[i]));
    if (options.dry_run) continue;
    start(commands[i], plan::layout_of(sweep, sweep.procs[i]), request.patience);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_settings(app, options->sweep,
               std::array<std::string_view, 4>{"machine", "procs", "nodes", "mapping"});
  add_launcher_options(app, options->sweep.request.launcher);
  CLI::Option* dry_run =
      app.add_flag("--dry-run", options->dry_run,
                   "only print the command for each process count; needs no MPI library");
  app.add_option("--cores", options->cores,
                 "in a dry run, cores of a node; more processes than that oversubscribe it [this "
                 "host's]")
      ->check(CLI::PositiveNumber)
      ->needs(dry_run);
  return [options] { return run(*options); };
}

}  // namespace

const Command command{.name = "launch",
                      .summary = "Start a job as a sweep does, and print the node of each rank",
                      .examples = R"(
Exit status: 2 if the job cannot be started, or its ranks are not on the requested nodes.
Examples:
  breakeven launch --machine mpich --procs 2,4
  breakeven launch --machine openmpi --procs 64 --nodes 8 --mapping rr --dry-run
  breakeven launch --machine mpich --procs 64 --nodes 8 --cores 8 --launcher flux --dry-run
  breakeven launch --machine mpich --procs 8 --nodes 2 --launcher-args "-f hosts")",
                      .setup = setup};

}  // namespace breakeven::cli::launch_command
