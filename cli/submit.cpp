// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <ranges>
#include <utility>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/submit/batch_system.hpp"
#include "cli/sweep_options.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/plan/model.hpp"
#include "harness/session/outlook.hpp"
#include "libraries/library_algorithm.hpp"
#include "results/store.hpp"

namespace breakeven::cli::submit_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  bool slurm = false;
  bool pbs = false;
  bool flux = false;
  std::optional<int> nodes;
  std::optional<Seconds> margin;
  std::string folder = "breakeven-job";
  bool dry_run = false;
  BatchJob job;
  std::vector<std::string> words;  // the sweep's
};

const BatchSystem& system_of(const Options& options) {
  if (std::ranges::count(std::array{options.slurm, options.pbs, options.flux}, true) != 1) {
    throw UsageError("which batch system? one of --slurm --pbs --flux");
  }
  return options.slurm ? kSlurm : (options.pbs ? kPbs : kFlux);
}

int most_nodes(const plan::Sweep& sweep) {
  return std::ranges::max(plan::jobs_of(sweep), {}, &NodeLayout::nodes).nodes;
}

plan::Sweep asked_sweep(const Options& options, const SweepOptions& given) {
  plan::Sweep sweep = asked_sweep(given);
  if (sweep.shard != plan::Shard{})
    throw UsageError("after --: no --shard; --array N before -- gives each");
  if (options.nodes && sweep.nodes == 1 && sweep.layouts.empty()) sweep.nodes = *options.nodes;
  if (const int needed = most_nodes(sweep); options.nodes && *options.nodes < needed) {
    throw UsageError(
        fmt::format("--nodes {} asked for, but the sweep is on {}", *options.nodes, needed));
  }
  return sweep;
}

/// Some paths can't stand in a job script.
fs::path plain(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  if (whole.string().find_first_of(" \t\n'\"\\%{}") == std::string::npos) return whole;
  throw UsageError(
      fmt::format("'{}' can't stand in a batch script; possible: a path without blanks, quotes, "
                  "backslashes, per cent signs and braces",
                  whole.string()));
}

void set_times(const Options& options, BatchJob& job) {
  constexpr Seconds kMargin{120};
  constexpr int kPartForShortJobs = 5;
  job.margin =
      options.margin.value_or(std::min(kMargin, Seconds{job.limit.value / kPartForShortJobs}));
  if (job.margin.value >= job.limit.value) {
    throw UsageError(fmt::format("--margin of {} s asked for, of a job of {} s", job.margin.value,
                                 job.limit.value));
  }
}

BatchJob job_of(const Options& options, const BatchSystem& system, const plan::Sweep& sweep,
                SweepOptions given) {
  BatchJob job = options.job;
  if (job.shards < 1) throw UsageError(fmt::format("--array {} asked for; at least 1", job.shards));
  set_times(options, job);
  job.nodes = options.nodes.value_or(most_nodes(sweep));
  job.procs_per_node =
      std::ranges::max(plan::jobs_of(sweep), {}, &NodeLayout::procs_per_node).procs_per_node;
  job.folder = plain(options.folder);
  const std::string& database = given.request.database;
  job.database = plain(database.empty() ? job.folder / "results.db" : fs::path{database});
  job.breakeven = programs_folder() / "breakeven";
  job.machine = sim::is_model(sweep.machine) ? plan::to_text(plan::parse_model(sweep.machine))
                                             : sweep.machine;
  if (&system == &kFlux && !sim::is_model(sweep.machine) &&
      given.request.launcher.launcher.empty() && given.request.launcher.arguments.empty()) {
    given.request.launcher.launcher = "flux";
  }
  job.sweep = sweep_arguments(sweep, given);
  return job;
}

/// Refuses at once what the job would refuse once it runs.
plan::SweepPlan plan_of(plan::Sweep sweep, int shards) {
  const MachineKind kind = sim::is_model(sweep.machine) ? MachineKind::model : MachineKind::library;
  if (kind == MachineKind::library) static_cast<void>(launch::find_launcher(sweep.machine));
  const LibraryCapabilities capabilities = libraries::known_capabilities(sweep.machine);
  sweep.shard = {.number = 1, .of = shards};
  if (shards > 1) static_cast<void>(plan::make_plan(sweep, kind, capabilities));
  sweep.shard = {};
  return plan::make_plan(sweep, kind, capabilities);
}

/// The results of the machine in an earlier job's database, the last of its name.
session::Held held_of(const BatchJob& job) {
  session::Held held;
  if (!fs::exists(job.database)) return held;
  const results::Store store{job.database, results::Store::Access::read};
  for (const auto& [id, machine] : store.machines() | std::views::reverse) {
    if (machine.name != job.machine) continue;
    fmt::print("by the results of '{}' on {}\n", job.database.string(), machine_text(machine));
    return session::held(store, id);
  }
  return held;
}

void print_plan(plan::SweepPlan plan, const plan::Sweep& sweep, const BatchJob& job, bool whole) {
  constexpr double kHour = 3600;
  const double node_hours = job.nodes * job.shards * job.limit.value / kHour;
  const Seconds budget{job.budget ? job.budget->value : std::numeric_limits<double>::infinity()};
  const session::Outlook outlook{
      sweep, std::move(plan), {}, held_of(job), plan::Forecast{sweep.measure}};
  for (const std::string& line : session::plan_lines(sweep, outlook, budget, whole)) {
    fmt::print("{}\n", line);
  }
  fmt::print("asked for: {} node{} for {}{}: {:.3g} node-hours a run", job.nodes,
             job.nodes == 1 ? "" : "s", clock_text(job.limit),
             job.shards > 1 ? fmt::format(", {} times", job.shards) : "", node_hours);
  if (job.budget) {
    fmt::print(", {:.3g} in all", node_hours * job.budget->value / job.limit.value);
  }
  fmt::print("\n");
}

void submit(const launch::ChildProcess::Command& command) {
  constexpr Seconds kPatience{60};
  launch::ChildProcess process{command};
  process.close_input();
  while (process.next_line(kPatience) == launch::ChildProcess::Wait::line) {
    fmt::print("{}\n", process.line());
  }
  const std::string failure = process.wait(kPatience);
  if (failure.empty()) return;
  throw UsageError(
      fmt::format("'{}' failed: {} {}", launch::to_text(command), failure, process.error_text()));
}

int run(const Options& options) {
  const BatchSystem& system = system_of(options);
  const SweepOptions given = parse_sweep_arguments(options.words);
  const plan::Sweep sweep = asked_sweep(options, given);
  const BatchJob job = job_of(options, system, sweep, given);
  Progress progress{0};
  progress.at("planning");
  plan::SweepPlan plan = plan_of(sweep, job.shards);
  progress.clear();
  print_plan(std::move(plan), sweep, job, options.dry_run);
  std::error_code failure;
  fs::create_directories(job.folder, failure);
  if (failure) {
    throw UsageError(
        fmt::format("can't make folder '{}': {}", job.folder.string(), failure.message()));
  }
  write_file(job.script(), job_script(system, job));
  fmt::print("wrote {}\n", job.script().string());
  for (const launch::ChildProcess::Command& command : system.commands(job)) {
    if (options.dry_run) {
      fmt::print("submit it with: {}\n", launch::to_text(command));
    } else {
      submit(command);
    }
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_flag("--slurm", options->slurm, "a job for Slurm");
  app.add_flag("--pbs", options->pbs, "a job for PBS");
  app.add_flag("--flux", options->flux, "a job for Flux");
  add(app, "--nodes", options->nodes, "nodes of the job [the sweep's]");
  add_duration(app, "--time", options->job.limit, "time limit of each run: 30min, 2h")->required();
  add_duration(app, "--budget", options->job.budget,
               "time of all runs together: 8h [as many runs as it takes]");
  add(app, "--partition,--queue", options->job.queue, "partition or queue of the job")
      ->type_name("NAME");
  add(app, "--account", options->job.account, "account to charge; Flux: the bank")
      ->type_name("NAME");
  add(app, "--array", options->job.shards,
      "number of allocations that share the sweep, each with its own database; the last to end "
      "merges them");
  add(app, "--name", options->job.name, "name of the job")->type_name("NAME");
  add(app, "--out", options->folder, "folder for script, output, database, tables and report")
      ->type_name("FOLDER");
  app.add_flag("--dry-run", options->dry_run,
               "write the script and print the command that submits it, without submitting");
  add_duration(app, "--margin", options->margin,
               "stop measuring this long before the limit [2min, at most a fifth of --time]")
      ->group(kRare);
  app.add_option("--directive", options->job.more,
                 "one more option for the batch system: --directive=--constraint=icelake")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  app.add_option("SWEEP", options->words, "after --: the options of `breakeven sweep`")->required();
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::submit_command

const breakeven::cli::Command breakeven::cli::kSubmit{
    .name = "submit",
    .summary = "Submit a batch job that sweeps and makes tables",
    .examples = R"(
Each run stops before its time limit. Further runs resume the sweep until everything is measured or
the budget is spent; the last one writes tables and guidelines (report.txt). See docs/batch.md.
Examples:
  breakeven submit --slurm --time 1h --nodes 4 -- --machine openmpi --procs 32,64 --bytes 8:1M
  breakeven submit --slurm --time 2h --budget 12h --array 8 --partition batch -- \
                   --machine mpich --procs 64 --nodes 8 --mapping rr
  breakeven submit --pbs --time 30min --queue debug --account me -- \
                   --machine mpich --launcher pbs --procs 64 --nodes 2)",
    .setup = submit_command::setup};
