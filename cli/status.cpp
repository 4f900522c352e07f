// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <set>

#include "cli/command.hpp"
#include "cli/database.hpp"
#include "cli/settings.hpp"
#include "harness/sweep.hpp"
#include "results/store.hpp"

namespace breakeven {

namespace {

using Key = std::pair<Case, int>;  // a case and its repeat

/// What the sweeps that were started on a machine measure in all.
std::set<Key> asked_for(const Store& store, MachineId id, const Machine& machine) {
  std::set<Key> keys;
  for (const std::string& toml : store.sweeps(id)) {
    const Plan plan = make_plan(parse_sweep(toml, "stored sweep"), machine.kind);
    for (const PlannedLaunch& launch : plan.launches) {
      for (const Case& what : launch.cases) keys.emplace(what, launch.repeat);
    }
  }
  return keys;
}

void print(const Store& store, MachineId id, const Machine& machine) {
  fmt::print("{}{}{}\n", machine.name, machine.kind == MachineKind::library ? ": " : "",
             machine.kind == MachineKind::library
                 ? fmt::format("{}, {}", machine.library_version, machine.cpu)
                 : "");
  std::set<Key> open = asked_for(store, id, machine);
  std::size_t measured = 0;
  std::map<std::string, std::vector<Key>> failures;  // by reason
  for (const Stored& row : store.stored(id)) {
    open.erase({row.what, row.repeat});
    if (row.failure.empty()) {
      ++measured;
    } else {
      failures[row.failure].emplace_back(row.what, row.repeat);
    }
  }
  std::size_t failed = 0;
  for (const auto& [reason, keys] : failures) failed += keys.size();
  fmt::print("  {} measured, {} failed, {} remaining\n", measured, failed, open.size());
  for (const auto& [reason, keys] : failures) {
    fmt::print("  failed: {}\n", reason);
    for (const auto& [what, repeat] : keys) {
      fmt::print("    {}, repeat {}\n", to_text(what), repeat);
    }
  }
  std::map<int, std::size_t> remaining;  // by p
  for (const auto& [what, repeat] : open) ++remaining[what.procs];
  for (const auto& [procs, count] : remaining) {
    fmt::print("  remaining at p = {}: {}\n", procs, count);
  }
}

std::function<int()> setup(CLI::App& app) {
  const auto file = std::make_shared<std::string>();
  app.add_option("--db", *file, "results database")->required();
  return [file] {
    const Store store{*file, Store::Access::read};
    for (const auto& [id, machine] : store.machines()) print(store, id, machine);
    return 0;
  };
}

}  // namespace

const Command status_command{
    .name = "status",
    .summary = "Show what of the sweeps in a database is measured, failed and remaining",
    .examples = "\nExample:\n  breakeven status --db results.db",
    .setup = setup};

}  // namespace breakeven
