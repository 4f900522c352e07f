// SPDX-License-Identifier: BSD-3-Clause
#include "cli/machine_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/options.hpp"
#include "core/error.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/launch/paths.hpp"
#include "harness/plan/model.hpp"

namespace breakeven::cli {

namespace {

using Machines = std::map<results::MachineId, Machine>;

Machines machines_in(const std::string& file) {
  return results::Store{file, results::Store::Access::read}.machines();
}

std::string number_of(results::MachineId id) {
  return fmt::format("{}", static_cast<std::int64_t>(id));
}

std::vector<results::MachineId> fitting(const Machines& machines, const std::string& word) {
  std::vector<results::MachineId> found;
  for (const auto& [id, machine] : machines) {
    if (word.empty() || word == machine.name || word == machine_text(machine) ||
        word == number_of(id))
      found.push_back(id);
  }
  return found;
}

/// The word for an equal machine among these, else its name.
std::string word_like(const Machine& machine, const Machines& among) {
  const auto equal =
      std::ranges::find_if(among, [&](const auto& each) { return each.second == machine; });
  return equal == among.end() ? machine.name : number_of(equal->first);
}

}  // namespace

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
  const Machines machines = store.machines();
  const std::vector<results::MachineId> found = fitting(machines, options.machine);
  if (found.size() == 1) return {std::move(store), found.front(), machines.at(found.front())};
  std::vector<std::string> known;
  for (const auto& [id, machine] : machines) {
    const std::string text = machine_text(machine);
    known.push_back(machines.size() > 1 ? fmt::format("{} = {}", number_of(id), text) : text);
  }
  throw UsageError(fmt::format("'{}' holds {}; there: {}", options.file,
                               found.empty()
                                   ? fmt::format("no machines called '{}'", options.machine)
                                   : "several machines, --machine NUMBER chooses one",
                               known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

std::array<DatabaseOptions, 2> in_both(const std::array<std::string, 2>& files,
                                       const std::string& word) {
  std::array<DatabaseOptions, 2> both{
      {{.file = files[0], .machine = word}, {.file = files[1], .machine = word}}};
  if (word.empty()) return both;
  const std::array machines{machines_in(files[0]), machines_in(files[1])};
  const bool second =
      machines[0].size() == 1 && (machines[1].size() > 1 || fitting(machines[0], word).empty());
  const Machine chosen = select_machine(both[second ? 1 : 0]).machine;
  const Machines& others = machines[second ? 0 : 1];
  const std::string like = word_like(chosen, others);
  const bool only_like = fitting(others, like).size() == 1;  // else its name is that of several
  both[second ? 0 : 1].machine = others.size() == 1 ? "" : only_like ? like : word;
  return both;
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
  return record_of({.file = file, .machine = word_like(machine, machines_in(file))});
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
