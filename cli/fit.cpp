// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/fit_report.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/plan/settings.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/session/fit_machine.hpp"
#include "harness/session/run_sweep.hpp"
#include "harness/session/smpi_sweep.hpp"

namespace breakeven::cli::fit_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<int> procs;
  std::optional<int> nodes;
  std::optional<Mapping> mapping;
  std::vector<Bytes> bytes = read<std::vector<Bytes>>("8:4M");
  std::optional<int> launches;
  std::string collectives = "allreduce";
  std::string model;
  std::string out;
  session::SweepRequest request{};
  std::string command;  ///< that makes the same file again
};

plan::Sweep sweep_of(const Options& options) {
  const std::string& machine = options.request.sweep.machine;
  const bool simulated = launch::is_smpi(machine);
  plan::Sweep sweep = plan::default_sweep();
  constexpr int kLaunches = 10;
  sweep.launches = kLaunches;
  if (simulated) {
    sweep =
        session::default_smpi_sweep(std::move(sweep), launch::parse_smpi(machine), options.procs);
  }
  sweep.machine = machine;
  sweep.procs = options.procs;
  sweep.nodes = options.nodes.value_or(sweep.nodes);
  sweep.mapping = options.mapping.value_or(sweep.mapping);
  sweep.messages = options.bytes;
  sweep.launches = options.launches.value_or(sweep.launches);
  sweep.measure.racing = false;
  return simulated ? session::settled(std::move(sweep), launch::parse_smpi(machine)) : sweep;
}

/// @throws UsageError where the options contradict each other
void check(const Options& options, bool one_node) {
  if (fs::path{options.out}.extension() != ".toml") {
    throw UsageError(fmt::format("--out '{}': a machine file is named NAME.toml", options.out));
  }
  if (!options.model.empty()) static_cast<void>(sim::keys_of(options.model));
  if (options.model == session::kTwoLevel && one_node) {
    throw UsageError(
        fmt::format("--model {} has a network between nodes: fit it on two or more (--nodes 2)",
                    session::kTwoLevel));
  }
}

/// Fits all models, prints how well each matches, and writes the best or the one asked for.
void fit(const Options& options, const session::SweepRequest& request,
         const plan::SweepPlan& plan) {
  const Selection from = select_machine({.file = request.database, .machine = {}});
  session::MachineFit fit =
      session::fit_machine(from.store, from.id, from.machine, request.sweep, plan, options.model);
  fmt::print(
      "How far models are from what was measured, median of |predicted - measured| / "
      "measured:\n{}\n{}, written to {}:\n{}",
      models_table(fit.observed, fit.models), fit.chosen, options.out,
      parameters_table(fit.machine.general));
  if (!fit.algorithms.empty()) {
    fmt::print("\n{}\n{}", algorithms_table(fit.algorithms), errors_table(fit.machine.errors));
  }
  fit.machine.name = fs::path{options.out}.stem();
  fit.machine.origin.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  fit.machine.origin.command = options.command;
  write_file(options.out, sim::to_toml(fit.machine));
}

int run(const Options& options) {
  session::SweepRequest request = options.request;
  request.sweep = sweep_of(options);
  const bool one_node = plan::layouts_of(request.sweep).front().nodes == 1;
  check(options, one_node);
  if (request.database.empty()) request.database = fs::path{options.out}.replace_extension(".db");
  std::vector<Collective> collectives;
  if (options.collectives != "none") {
    collectives = read<std::vector<Collective>>(options.collectives);
  }
  const plan::SweepPlan plan = plan::pattern_plan(request.sweep, collectives);
  Progress progress{0};
  const session::SweepSummary summary = session::run_fixed(request, plan, progress);
  progress.clear();
  if (summary.over) {
    fmt::print("{} Run the same command to continue.\n", *summary.over);
    return kEndedEarly;
  }
  fit(options, request, plan);
  return summary.failed + summary.failed_before == 0 ? 0 : 1;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option(
         "--machine", options->request.sweep.machine,
         "the MPI library, smpi:PLATFORM.xml[,hosts=NUMBER]..., or a model, whose parameters "
         "are then found again")
      ->required()
      ->type_name("MACHINE");
  add(app, "--procs", options->procs, "number of processes")->required();
  add_file(app, "--out", options->out, "machine file to write: NAME.toml")->required();
  app.add_option("--model", options->model,
                 "which of the models is written [the one that matches best]")
      ->type_name("MODEL");
  add(app, "--nodes", options->nodes, "nodes, each with the same number of processes [1]");
  add(app, "--mapping", options->mapping, "how ranks are placed on nodes [seq]");
  add(app, "--bytes", options->bytes, "message sizes");
  app.add_option(
         "--collectives", options->collectives,
         "measure algorithms of these collectives too: the errors of predictions, which their "
         "intervals then contain, and parameters of their own where these are better; "
         "none: only patterns [allreduce]")
      ->type_name("COLLECTIVE,...");
  add(app, "--launches", options->launches, "launches of the job [10; smpi: 3]");
  add_file(app, "--db", options->request.database,
           "database for the measurements [NAME.db next to the file]");
  add_launcher_options(app, options->request.launcher);
  return [options, &app] {
    options->command = command_line(app);
    return run(*options);
  };
}

}  // namespace

}  // namespace breakeven::cli::fit_command

const breakeven::cli::Command breakeven::cli::kFit{
    .name = "fit",
    .summary = "Measure patterns of messages, and fit the models of machines to them",
    .examples = R"(
Measurements are kept in a database: after a kill the same command continues.
Examples:
  breakeven fit --machine mpich --procs 4 --out here.toml
  breakeven fit --machine openmpi --procs 64 --nodes 8 --collectives allreduce --out cluster.toml
  breakeven predict allreduce --machine here.toml --procs 4 --bytes 8:1M
Exit status: 1 if patterns failed (the database records why); 4 if it ended before everything was
measured.)",
    .setup = fit_command::setup};
