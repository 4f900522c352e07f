// SPDX-License-Identifier: BSD-3-Clause
#include "cli/database.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "core/error.hpp"

namespace breakeven::cli {

void add_database_options(CLI::App& app, DatabaseOptions& options) {
  app.add_option("--db", options.file, "results database (SQLite)")->required();
  app.add_option("--machine", options.machine,
                 "machine to use, by name or number; required if the database holds several");
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
  Record record{.machine = from.machine, .measurements = from.store.measurements(from.id)};
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

}  // namespace breakeven::cli
