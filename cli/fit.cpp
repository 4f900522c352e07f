// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>

#include "cli/command.hpp"
#include "cli/fit_report.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/version.hpp"
#include "harness/plan/settings.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/session/run_sweep.hpp"
#include "harness/session/smpi_sweep.hpp"

namespace breakeven::cli::fit_command {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTwoLevel = "two_level";

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

/// The cases of the plan that the database holds.
std::vector<sim::Observed> observed_in(const Selection& from, const plan::SweepPlan& plan) {
  const std::set<Case> planned(plan.launches.front().cases.begin(),
                               plan.launches.front().cases.end());
  const std::vector<Measurement> measurements = from.store.measurements(from.id);
  std::map<int, std::size_t> launches;  // by repeat
  for (const Measurement& each : measurements) {
    if (planned.contains(each.what)) launches.emplace(each.repeat, launches.size());
  }
  std::map<Case, sim::Observed> observed;
  for (const Measurement& each : measurements) {
    if (!planned.contains(each.what)) continue;
    sim::Observed& of =
        observed.try_emplace(each.what, sim::Observed{.what = each.what}).first->second;
    of.by_launch_s.resize(launches.size(), std::numeric_limits<double>::quiet_NaN());
    of.by_launch_s[launches.at(each.repeat)] = each.median.value;
  }
  std::vector<sim::Observed> all;
  for (auto& [what, each] : observed) all.push_back(std::move(each));
  return all;
}

sim::MachineDescription description(const Options& options, const plan::Sweep& sweep,
                                    const Machine& machine) {
  const NodeLayout layout = plan::layout_of(sweep, sweep.procs.front());
  return {
      .name = fs::path{options.out}.stem(),
      .limits = {.procs = layout.procs,
                 .procs_per_node = layout.procs_per_node,
                 .message_bytes = std::ranges::max(sweep.messages).value},
      .origin = {.library = machine.name,
                 .library_version = machine.library_version,
                 .processor = machine.cpu,
                 .layout = fmt::format("{} processes on {} node{}, {}", layout.procs, layout.nodes,
                                       layout.nodes == 1 ? "" : "s", to_text(layout.mapping)),
                 .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                 .breakeven_version = std::string{kVersion},
                 .command = options.command}};
}

/// @throws UsageError where the options contradict each other
void check(const Options& options, bool one_node) {
  if (fs::path{options.out}.extension() != ".toml") {
    throw UsageError(fmt::format("--out '{}': a machine file is named NAME.toml", options.out));
  }
  if (!options.model.empty()) static_cast<void>(sim::keys_of(options.model));
  if (options.model == kTwoLevel && one_node) {
    throw UsageError(fmt::format(
        "--model {} has a network between nodes: fit it on two or more (--nodes 2)", kTwoLevel));
  }
}

/// Fits all models, prints how well each matches, and writes the best or the one asked for.
void fit(const Options& options, const session::SweepRequest& request, const plan::SweepPlan& plan,
         bool one_node) {
  const Selection from = select_machine({.file = request.database, .machine = {}});
  const std::vector<sim::Observed> observed = observed_in(from, plan);
  const sim::Fitting fitting{observed};
  const std::vector<double> ends = fitting.range_ends();
  std::map<std::string_view, sim::FittedModel> models;
  for (const std::string_view model : sim::model_names()) {
    // One node tells nothing of the network between nodes.
    if (model != kTwoLevel || !one_node) models.emplace(model, fitting.fit(model, ends));
  }
  const auto best = std::ranges::min_element(
      models, {}, [](const auto& each) { return each.second.median_difference(); });
  const auto chosen = options.model.empty() ? best : models.find(options.model);
  fmt::print(
      "How far models are from what was measured, median of |predicted - measured| / "
      "measured:\n{}\n{}, written to {}:\n{}",
      models_table(observed, models), chosen->first, options.out,
      parameters_table(chosen->second.machine));
  sim::MachineDescription machine = description(options, request.sweep, from.machine);
  machine.general = chosen->second.machine;
  const std::vector<sim::FittedAlgorithm> algorithms = fitting.fit_algorithms(machine.general);
  std::vector<sim::ModelResidual> residuals;
  for (const sim::FittedAlgorithm& each : algorithms) {
    if (each.has_own) machine.by_algorithm.emplace(algorithm_text(each.what), each.machine);
    std::ranges::copy(each.residuals, std::back_inserter(residuals));
  }
  machine.errors = sim::model_errors(residuals, fitting.launch_deviation());
  if (!algorithms.empty())
    fmt::print("\n{}\n{}", algorithms_table(algorithms), errors_table(machine.errors));
  write_file(options.out, sim::to_toml(machine));
}

int run(const Options& options) {
  session::SweepRequest request = options.request;
  request.sweep = sweep_of(options);
  const bool one_node = plan::layout_of(request.sweep, request.sweep.procs.front()).nodes == 1;
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
  fit(options, request, plan, one_node);
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
                 "which of the models is written [the one that matches best]");
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
