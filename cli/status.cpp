// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "cli/command.hpp"
#include "cli/database.hpp"
#include "cli/settings.hpp"
#include "core/error.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/session/refine.hpp"
#include "results/store.hpp"
#include "tuner/verify/verification_files.hpp"

namespace breakeven::cli::status_command {

namespace {

struct Options {
  std::string database;
  std::string tables;
};

using Key = std::pair<Case, int>;  // a case and its repeat

/// What the sweeps that were started on a machine measure in all, less what a race pruned.
struct Asked {
  std::set<Key> keys{};
  bool refinement_to_come = false;  ///< which depends on what is still to be measured
};

Asked asked_for(const results::Store& store, results::MachineId id, const Machine& machine) {
  std::set<Key> stored;
  for (const results::CaseStatus& row : store.case_statuses(id))
    stored.emplace(row.what, row.repeat);
  const std::vector<Measurement> measurements = store.measurements(id);
  std::set<Case> pruned;
  for (const Pruned& each : store.pruned(id)) pruned.insert(each.what);
  Asked asked;
  for (const std::string& toml : store.sweeps(id)) {
    const plan::Sweep sweep = parse_sweep(toml, "stored sweep");
    const auto less_pruned = [&](plan::SweepPlan plan) {
      return plan::remaining(std::move(plan), {}, sweep.measure.racing ? pruned : std::set<Case>{});
    };
    std::optional<plan::SweepPlan> plan =
        plan::make_plan(sweep, machine.kind, store.capabilities(id));
    session::Refining refining{sweep, *plan};
    while (plan) {
      const plan::SweepPlan needed = less_pruned(std::move(*plan));
      for (const plan::PlannedLaunch& launch : needed.launches) {
        for (const Case& what : launch.cases) asked.keys.emplace(what, launch.repeat);
      }
      const bool open = !plan::remaining(needed, stored).launches.empty();
      asked.refinement_to_come |= open && sweep.refine;
      plan = open ? std::nullopt : refining.next(measurements);
    }
  }
  return asked;
}

void print_failures(const std::map<std::string, std::vector<Key>>& by_reason) {
  for (const auto& [reason, keys] : by_reason) {
    fmt::print("  failed: {}\n", reason);
    for (const auto& [what, repeat] : keys) {
      fmt::print("    {}, repeat {}\n", to_text(what), repeat);
    }
  }
}

/// By number of processes, and how long it takes at the pace so far.
void print_remaining(const std::set<Key>& open, Seconds pace) {
  std::map<int, std::size_t> remaining;
  for (const auto& [what, repeat] : open) ++remaining[what.procs];
  for (const auto& [procs, count] : remaining) {
    fmt::print("  remaining at p = {}: {}\n", procs, count);
  }
  if (open.empty() || pace.value == 0) return;
  fmt::print("  ETA {} of measuring, less where racing decides early\n",
             rough_text({pace.value * static_cast<double>(open.size()) + 1}));
}

void print(const results::Store& store, results::MachineId id, const Machine& machine) {
  fmt::print("{}{}{}\n", machine.name, machine.kind == MachineKind::library ? ": " : "",
             machine.kind == MachineKind::library
                 ? fmt::format("{}, {}", machine.library_version, machine.cpu)
                 : "");
  auto [open, refinement_to_come] = asked_for(store, id, machine);
  std::size_t measured = 0;
  std::size_t failed = 0;
  std::map<std::string, std::vector<Key>> failures;  // by reason
  for (const results::CaseStatus& row : store.case_statuses(id)) {
    open.erase({row.what, row.repeat});
    if (row.failure.empty()) {
      ++measured;
    } else {
      ++failed;
      failures[row.failure].emplace_back(row.what, row.repeat);
    }
  }
  if (store.sweeps(id).empty()) {
    fmt::print("  {} measured, {} failed, of no sweep: `breakeven verify` knows what remains\n",
               measured, failed);
  } else {
    fmt::print("  {} measured, {} failed, {} remaining\n", measured, failed, open.size());
  }
  if (refinement_to_come) fmt::print("  {}\n", session::kRefinementToCome);
  print_failures(failures);
  const Seconds spent = store.measuring_time(id);
  print_remaining(open,
                  measured > 0 ? Seconds{spent.value / static_cast<double>(measured)} : Seconds{});
}

void print_database(const std::filesystem::path& file) {
  const results::Store store{file, results::Store::Access::read};
  for (const auto& [id, machine] : store.machines()) print(store, id, machine);
}

/// A verification of tables, or why it can't be read: no file that lies there is passed over.
void print_verification(const std::filesystem::path& file) {
  fmt::print("{}\n", file.string());
  try {
    print_database(file);
  } catch (const UsageError& error) {
    fmt::print("  {}\n", error.what());
    return;
  }
  const std::filesystem::path verification = verify::verification_file(file);
  if (std::filesystem::exists(verification)) {
    fmt::print("  finished: {}\n", verification.string());
  } else {
    fmt::print("  not finished: the same `breakeven verify` with --db {} goes on\n", file.string());
  }
}

int run(const Options& options) {
  if (!options.database.empty()) {
    print_database(options.database);
    return 0;
  }
  if (!std::filesystem::exists(options.tables)) {
    throw UsageError(fmt::format("'{}' is no folder of tables, nor one of them", options.tables));
  }
  const std::vector<std::filesystem::path> files = verify::verifications(options.tables);
  for (const std::filesystem::path& file : files) print_verification(file);
  if (files.empty()) {
    fmt::print("no verification beside '{}': `breakeven verify --tables {}` makes one\n",
               options.tables, options.tables);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--db", options->database, "results database");
  app.add_option("--tables", options->tables,
                 "folder of tables, or one table: shows the databases of its `verify` runs");
  app.require_option(1);
  return [options] { return run(*options); };
}

}  // namespace

const Command command{
    .name = "status",
    .summary = "Count the measured, failed and remaining cases of the sweeps in a database",
    .examples = R"(
Examples:
  breakeven status --db results.db
  breakeven status --tables tables)",
    .setup = setup};

}  // namespace breakeven::cli::status_command
