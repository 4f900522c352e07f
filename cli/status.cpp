// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "harness/session/outlook.hpp"
#include "results/store.hpp"
#include "tuner/decision.hpp"
#include "tuner/verify/verification_files.hpp"

namespace breakeven::cli::status_command {

namespace {

struct Options {
  std::string database;
  std::string tables;
};

using Key = std::pair<Case, int>;  // a case and its repeat

void print_failures(std::span<const results::Failure> failures) {
  std::map<std::string, std::vector<Key>> by_reason;
  for (const results::Failure& each : failures)
    by_reason[each.reason].emplace_back(each.what, each.repeat);
  for (const auto& [reason, keys] : by_reason) {
    fmt::print("  failed: {}\n", reason);
    for (const auto& [what, repeat] : keys) {
      fmt::print("    {}, repeat {}\n", to_text(what), repeat);
    }
  }
}

/// Prints the remaining launches by layout, and their probable time.
void print_remaining(const session::Remaining& remaining) {
  std::map<NodeLayout, int> by_layout;
  for (const auto& [what, of_case] : remaining.launches) by_layout[layout_of(what)] += of_case;
  for (const auto& [layout, of_layout] : by_layout) {
    fmt::print("  remaining at {}: {}\n", procs_text(layout), of_layout);
  }
  if (!by_layout.empty())
    fmt::print("  ETA {} in {} launch{}, {} of it to start jobs{}\n",
               rough_text(remaining.cost.time + Seconds{1}), remaining.cost.launches,
               remaining.cost.launches == 1 ? "" : "es",
               rough_text(remaining.cost.starts + Seconds{1}),
               remaining.guessed ? session::kGuess : "");
}

/// Prints where the choice may be wrong, and how many measurements would probably decide it.
void print_undecided(std::span<const Measurement> measurements, const std::map<Case, int>& open) {
  std::map<Case, int> launches;  // by problem, for all counts
  for (const auto& [what, of_case] : open)
    launches[with_counts(without_algorithm(what), Counts::equal)] += of_case;
  struct Line {
    int sizes = 0;
    std::vector<std::string> undecided{};
    int launches = 0;
  };
  std::map<std::string, Line> lines;
  for (const tuner::Decision& each : tuner::decide(measurements)) {
    const Case& problem = each.problem;
    Line& line = lines[fmt::format(
        "{}{}, p = {}{}", kCollectives.of(problem.collective), form_suffix(problem.form),
        problem.procs,
        problem.nodes == 1
            ? ""
            : fmt::format(" on {} nodes, mapping {}", problem.nodes, to_text(problem.mapping)))];
    ++line.sizes;
    if (each.certainty == tables::Certainty::decided) continue;
    line.undecided.push_back(to_text(problem.message));
    const auto found = launches.find(problem);
    if (found != launches.end()) line.launches += found->second;
  }
  for (const auto& [name, line] : lines) {
    if (line.undecided.empty()) continue;
    constexpr std::size_t kShort = 3;
    const std::string sizes =
        line.undecided.size() <= kShort
            ? fmt::format("{}", fmt::join(line.undecided, ", "))
            : fmt::format("{} to {}", line.undecided.front(), line.undecided.back());
    fmt::print("  undecided: {}, {} of {} sizes: {}; {}\n", name, line.undecided.size(), line.sizes,
               sizes,
               line.launches > 0 ? fmt::format("about {} more measurements", line.launches)
                                 : "more measurements would gain too little");
  }
}

void print(const results::Store& store, results::MachineId id, const Machine& machine) {
  fmt::print("{}\n", machine_text(machine));
  const session::Held held = session::held(store, id);
  const session::Remaining remaining = session::remaining_of(store, id, machine, held);
  const std::size_t measured = held.measurements.size();
  const std::size_t failed = held.failures.size();
  if (store.sweeps(id).empty()) {
    fmt::print("  {} measured, {} failed, not by a sweep: the rest is not known here\n", measured,
               failed);
  } else {
    fmt::print("  {} measured, {} failed, {} remaining\n", measured, failed,
               remaining.cost.measurements);
  }
  if (remaining.refinement_to_come) fmt::print("  {}\n", session::kRefinementToCome);
  for (const std::string& text : remaining.pruned) fmt::print("  {}\n", text);
  print_failures(held.failures);
  print_remaining(remaining);
  if (!store.sweeps(id).empty()) print_undecided(held.measurements, remaining.launches);
}

void print_database(const std::filesystem::path& file) {
  const results::Store store{file, results::Store::Access::read};
  for (const auto& [id, machine] : store.machines()) print(store, id, machine);
}

/// Prints a verification of tables, or why it can't be read: no file is passed over.
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
    fmt::print("  not finished: the same `breakeven verify` with --db {} continues\n",
               file.string());
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
    fmt::print("no verification of '{}': `breakeven verify --tables {}` makes one\n",
               options.tables, options.tables);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_file(app, "--db", options->database, "results database");
  add_file(app, "--tables", options->tables,
           "folder of tables, or one table: shows the databases of its `verify` runs");
  app.require_option(1);
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::status_command

const breakeven::cli::Command breakeven::cli::kStatus{
    .name = "status",
    .summary = "Show what a database's sweeps have measured, what remains, and what is undecided",
    .examples = R"(
Examples:
  breakeven status --db results.db
  breakeven status --tables tables)",
    .setup = status_command::setup};
