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
                 "machine to use; required if the database holds several");
}

Selection select_machine(const DatabaseOptions& options) {
  results::Store store{options.file, results::Store::Access::read};
  const std::map<results::MachineId, Machine> machines = store.machines();
  std::vector<std::string> known;
  std::vector<results::MachineId> fitting;
  for (const auto& [id, machine] : machines) {
    known.push_back(
        machine.kind == MachineKind::model
            ? machine.name
            : fmt::format("{} ({} on {})", machine.name, machine.library_version, machine.cpu));
    if (options.machine.empty() || options.machine == machine.name ||
        options.machine == known.back()) {
      fitting.push_back(id);
    }
  }
  if (fitting.size() != 1) {
    throw UsageError(fmt::format(
        "'{}' holds {}; there: {}", options.file,
        options.machine.empty() ? "several machines, --machine chooses one"
                                : fmt::format("{} machines called '{}'",
                                              fitting.empty() ? "no" : "several", options.machine),
        known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
  return {std::move(store), fitting.front(), machines.at(fitting.front())};
}

}  // namespace breakeven::cli
