// SPDX-License-Identifier: BSD-3-Clause
#include "cli/machine_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cli/options.hpp"
#include "core/error.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/launch/paths.hpp"
#include "harness/plan/model.hpp"

namespace breakeven::cli {

void add_database_options(CLI::App& app, DatabaseOptions& options) {
  add_file(app, "--db", options.file, "results database of `breakeven sweep`")->required();
  app.add_option("--machine", options.machine,
                 "machine to use, by name or number; required if the database holds several")
      ->type_name("MACHINE");
}

void add_launcher_options(CLI::App& app, launch::LauncherOptions& options) {
  app.add_option("--launcher", options.launcher,
                 "program that starts MPI jobs: hydra, openmpi4, openmpi5, srun, srun-pmi2, "
                 "srun-pmix, pbs, flux, each also as NAME=PROGRAM; or the path of an mpiexec [srun "
                 "inside a Slurm allocation, else the library's mpiexec]")
      ->type_name("NAME");
  app.add_option("--launcher-args", options.arguments,
                 "more arguments for the launcher: --launcher-args \"-f hosts\"")
      ->allow_extra_args(false)
      ->type_name("WORDS");
  app.add_option("--worker", options.worker,
                 "measure another MPI installation: folder of `breakeven worker build` [the "
                 "workers that were installed]")
      ->type_name("FOLDER");
}

std::string machine_text(const Machine& machine) {
  if (machine.kind == MachineKind::model) return machine.name;
  const std::string settings =
      machine.settings.empty() ? "" : fmt::format(", with {}", values_text(machine.settings));
  return fmt::format("{} ({} on {}{})", machine.name, machine.library_version, machine.cpu,
                     settings);
}

Selection select_machine(const DatabaseOptions& options) {
  results::Store store{options.file, results::Store::Access::read};
  const std::map<results::MachineId, Machine> machines = store.machines();
  std::vector<std::string> known;
  std::vector<results::MachineId> fitting;
  for (const auto& [id, machine] : machines) {
    const std::string number = fmt::format("{}", static_cast<std::int64_t>(id));
    const std::string text = machine_text(machine);
    known.push_back(machines.size() > 1 ? fmt::format("{} = {}", number, text) : text);
    const std::string& word = options.machine;
    if (word.empty() || word == machine.name || word == text || word == number) {
      fitting.push_back(id);
    }
  }
  if (fitting.size() != 1) {
    throw UsageError(
        fmt::format("'{}' holds {}; there: {}", options.file,
                    fitting.empty() ? fmt::format("no machines called '{}'", options.machine)
                                    : "several machines, --machine NUMBER chooses one",
                    known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
  return {std::move(store), fitting.front(), machines.at(fitting.front())};
}

Record record_of(const DatabaseOptions& options) {
  const Selection from = select_machine(options);
  Record record{
      .id = from.id, .machine = from.machine, .measurements = from.store.measurements(from.id)};
  for (results::StoredLaunch& each : from.store.launches(from.id)) {
    record.launches.push_back(std::move(each.launch));
  }
  return record;
}

Record record_like(const Machine& machine, const std::string& file) {
  std::string word = machine.name;
  for (const auto& [id, each] : results::Store{file, results::Store::Access::read}.machines()) {
    if (each == machine) word = fmt::format("{}", static_cast<std::int64_t>(id));
  }
  return record_of({.file = file, .machine = word});
}

launch::Library ready_library(const std::string& machine, const launch::LauncherOptions& options) {
  launch::Library library = launch::find_library(machine, launch::workers_folder(), options);
  if (!library.why.empty()) fmt::print(stderr, "{}\n", library.why);
  return library;
}

sim::MachineDescription model_of(const std::string& machine) {
  if (!launch::launchers_of(machine).empty()) {
    throw UsageError(
        fmt::format("{} is a library, which is measured; `breakeven fit --machine {} --procs 4 "
                    "--out here.toml` makes a model of it",
                    machine, machine));
  }
  sim::MachineDescription found = plan::parse_exact_model(machine);
  found.name = plan::to_text(plan::Model{.machine = found});
  return found;
}

}  // namespace breakeven::cli
