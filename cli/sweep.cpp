// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/run_sweep.hpp"
#include "cli/settings.hpp"
#include "cli/smpi_sweep.hpp"
#include "core/error.hpp"

namespace breakeven {

namespace {

constexpr int kEndedEarly = 4;

struct Options {
  std::string sweep_file;
  std::map<std::string_view, std::string> given;  // settings by key, from flags
  SweepRequest request;
};

std::string flag_of(const Setting& setting) {
  std::string flag = fmt::format("--{}", setting.key);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

/// The settings of the file, then those of the flags on top.
Sweep read_settings(Sweep sweep, const Options& options) {
  if (!options.sweep_file.empty()) {
    sweep = parse_sweep(read_file(options.sweep_file), options.sweep_file, std::move(sweep));
  }
  for (const Setting& setting : settings()) {
    const auto given = options.given.find(setting.key);
    if (given == options.given.end() || given->second.empty()) continue;
    try {
      setting.set(sweep, given->second);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", flag_of(setting), error.what()));
    }
  }
  return sweep;
}

Sweep asked_sweep(const Options& options) {
  Sweep sweep = read_settings(default_sweep(), options);
  if (!is_smpi(sweep.machine)) return sweep;
  const SmpiMachine machine = parse_smpi(sweep.machine);
  return settled(read_settings(default_smpi_sweep(machine, sweep.procs), options), machine);
}

int run(Options& options) {
  options.request.sweep = asked_sweep(options);
  const SweepSummary summary = run_sweep(options.request);
  fmt::print("{}: {} measured, {} failed, {} stored before", options.request.database,
             summary.measured, summary.failed, summary.stored_before);
  if (summary.spared > 0) fmt::print(", {} spared by racing", summary.spared);
  fmt::print("\n");
  if (summary.failed_before > 0) {
    fmt::print("{} failed before; --retry-failed measures them again\n", summary.failed_before);
  }
  if (summary.over) {
    fmt::print("{}: nothing is lost, the same command goes on\n", *summary.over);
    return kEndedEarly;
  }
  return summary.failed + summary.failed_before == 0 ? 0 : 1;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("FILE.toml", options->sweep_file,
                 "sweep file: the settings below, as key = value; flags override it");
  app.add_option("--db", options->request.database, "results database; made when missing")
      ->required();
  const Sweep defaults = default_sweep();
  for (const Setting& setting : settings()) {
    const std::string value = setting.text(defaults);
    app.add_option(
           flag_of(setting), options->given[setting.key],
           fmt::format("{}{}", setting.help, value.empty() ? "" : fmt::format(" [{}]", value)))
        ->group("What to measure");
  }
  app.add_option("--launcher", options->request.launcher, "the mpiexec to use");
  app.add_option("--launcher-args", options->request.launcher_arguments,
                 "one more argument for it, as --launcher-args=-f --launcher-args=hosts")
      ->allow_extra_args(false);
  app.add_option("--case-timeout-s", options->request.patience.value,
                 "seconds of silence after which a job counts as hung [60]");
  app.add_option("--budget-s", options->request.budget.value,
                 "seconds after which nothing new is begun [none]");
  app.add_flag("!--no-doctor", options->request.doctor, "don't look the machine over first");
  app.add_flag("--retry-failed", options->request.retry_failed, "measure again what failed before");
  return [options] { return run(*options); };
}

}  // namespace

const Command sweep_command{
    .name = "sweep",
    .summary = "Measure: every algorithm at every process count and size, resumable",
    .examples = R"(
Killed at any moment, it has lost no finished case: the same command goes on.
Examples:
  breakeven sweep --machine mpich --procs 2,3,4 --bytes 8:1M --db results.db
  breakeven sweep --machine openmpi --collectives allreduce --algorithms native,ring \
                  --procs 2 --bytes 8:64K --launches 5 --db results.db
  breakeven sweep --machine postal:alpha=1e-6,beta=1e-9,gamma=1e-10 --procs 2:64 \
                  --bytes 8:8M --db model.db
  breakeven sweep --machine smpi:platform.xml,hosts=8,mapping=rr --procs 64 --bytes 8K:4M \
                  --collectives allreduce --db simulated.db
  breakeven sweep sweep.toml --db results.db
A sweep file:
  machine = "mpich"
  procs = [2, 4, 8]
  bytes = "8:1M"
  collectives = ["allreduce", "reduce"]
Exit status: 1 when cases failed (they are recorded with their reasons).)",
    .setup = setup};

}  // namespace breakeven
