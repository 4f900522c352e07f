// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/show.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/choose.hpp"
#include "harness/launch/program.hpp"
#include "harness/session/profile_sweep.hpp"
#include "harness/session/program.hpp"
#include "tables/profile.hpp"
#include "tables/saving.hpp"

namespace breakeven::cli {

namespace {

constexpr int kNotFound = 127;         // as in shells
constexpr std::size_t kMostRows = 25;  // on the screen

struct Options {
  std::string tables;   ///< a folder; empty: the program is only watched
  std::string library;  ///< "mpich", where no table says it: of `profile` alone
  std::string profile;
  bool strict = false;
  std::vector<std::string> command;
};

/// Calls that are one row: of all datatypes and operations.
struct Row {
  tables::Amount amount{};
  std::optional<tables::Speedup> speedup{};
  std::optional<double> saved_s{};
};
using Rows = std::map<std::vector<std::string>, Row>;

std::filesystem::path sweep_file(std::filesystem::path profile) {
  return profile.replace_extension(".toml");
}

void add_seconds(std::optional<double> seconds, std::optional<double>& sum) {
  if (seconds) sum = sum.value_or(0) + *seconds;
}

Rows rows_of(const tables::Profile& profile, const std::optional<session::ProgramTables>& tables) {
  Rows rows;
  for (const auto& [use, amount] : profile.uses) {
    tables::Saving saving{.variant = use.variant};
    if (tables) {
      saving = tables::saving_of(use, amount, tables->all.table,
                                 tables->library ? &*tables->library : nullptr);
    }
    const std::string message = moves_data(use.collective) ? to_text(use.message) : "";
    Row& row = rows[{call_name(use.collective, use.form), fmt::to_string(use.layout.procs),
                     to_text(use.layout.mapping), message, to_text(saving.variant),
                     tables::native_text(use)}];
    row.amount += amount;
    row.speedup = saving.speedup;
    add_seconds(saving.saved_s, row.saved_s);
  }
  return rows;
}

/// Prints a line for each program, where there are several.
void print_programs(const tables::Profile& profile) {
  std::vector<Cells> cells;
  for (const tables::Profile& each : profile.programs) {
    if (cells.size() == kMostRows) break;
    tables::Amount all;
    for (const auto& [use, amount] : each.uses) all += amount;
    cells.push_back({each.command, fmt::to_string(each.procs), fmt::to_string(all.calls),
                     fmt::format("{:.3g}", all.seconds), fmt::format("{:.3g}", each.wall_s)});
  }
  if (cells.empty()) return;
  const Cells columns{"program", "p", "calls", "time_s", "of_s"};
  fmt::print(stderr, "\n{}", to_table(columns, cells));
  const std::size_t more = profile.programs.size() - cells.size();
  if (more > 0) fmt::print(stderr, "  and {} more, which ended later\n", more);
}

/// Start, completion and overlap of nonblocking and persistent calls; empty of blocking ones.
Cells under_way_cells(const tables::Amount& amount) {
  if (amount.under_way_s == 0) return {"", "", ""};
  return {fmt::format("{:.3g}", amount.start_s),
          fmt::format("{:.3g}", amount.seconds - amount.start_s),
          fmt::format("{:.0f} %", 100 * amount.most_overlap_s / amount.under_way_s)};
}

/// @param longest  sorted by time
void print_rows(const std::vector<const Rows::value_type*>& longest, bool with_tables) {
  const bool under_way =
      std::ranges::any_of(longest, [](auto* row) { return row->second.amount.under_way_s > 0; });
  const bool known =
      std::ranges::any_of(longest, [](auto* row) { return !row->first.back().empty(); });
  std::vector<Cells> cells;
  for (const auto* row : longest) {
    if (cells.size() == kMostRows) break;
    Cells line = row->first;
    if (!known) line.pop_back();
    const Row& of = row->second;
    line.insert(line.begin() + 4,
                {fmt::to_string(of.amount.calls), fmt::format("{:.3g}", of.amount.seconds)});
    if (under_way) {
      const Cells more = under_way_cells(of.amount);
      line.insert(line.begin() + 6, more.begin(), more.end());
    }
    if (with_tables) {
      line.push_back(of.speedup ? fmt::format("{:.2f}, {:.2f} to {:.2f}", of.speedup->ratio,
                                              of.speedup->low, of.speedup->high)
                                : "");
      line.push_back(of.saved_s ? fmt::format("{:.3g}", *of.saved_s) : "");
    }
    cells.push_back(std::move(line));
  }
  Cells columns{"collective", "p", "mapping", "message", "calls", "time_s", "algorithm"};
  if (under_way) columns.insert(columns.begin() + 6, {"start_s", "completion_s", "overlap <="});
  if (known) columns.emplace_back("native is");
  if (with_tables) columns.insert(columns.end(), {"speedup", "saved_s"});
  fmt::print(stderr, "\n{}", to_table(columns, cells));
  if (longest.size() > cells.size()) {
    fmt::print(stderr, "  and {} more, which take less time\n", longest.size() - cells.size());
  }
}

void print(const tables::Profile& profile, const std::optional<session::ProgramTables>& tables) {
  const Rows rows = rows_of(profile, tables);
  std::vector<const Rows::value_type*> longest;
  tables::Amount all;
  std::optional<double> saved_s;
  bool any_speedup = false;
  for (const auto& row : rows) {
    longest.push_back(&row);
    all += row.second.amount;
    add_seconds(row.second.saved_s, saved_s);
    any_speedup |= row.second.speedup.has_value();
  }
  std::ranges::sort(longest, std::greater{}, [](auto* row) { return row->second.amount.seconds; });
  print_rows(longest, tables.has_value());
  const std::string unknown =
      tables ? tables::layouts_without_rules(profile, tables->all.table) : "";
  if (!unknown.empty()) fmt::print(stderr, "\n{}: no speedup is known there", unknown);
  fmt::print(stderr, "\n{} calls took {:.3g} s of {:.3g} s", all.calls, all.seconds,
             profile.wall_s);
  if (tables && !saved_s) {
    fmt::print(stderr, "; what the tables saved is unknown: {}",
               any_speedup ? "computation may hide nonblocking calls"
                           : "they have no speedup of these calls");
  } else if (tables) {
    fmt::print(
        stderr, "; {:.3g} s saved, by the speedups that were measured for the table{}", *saved_s,
        tables->library ? "" : "; the library chose among its own by itself: no table of these");
  }
  fmt::print(stderr, "\n");
}

/// Writes the sweep file next to the profile, under its name.
void write_sweep(const tables::Profile& profile, const Options& options) {
  const std::string toml = session::profile_sweep(profile, options.library);
  if (toml.empty()) return;
  const std::string file = sweep_file(options.profile).string();
  write_file(file, toml);
  fmt::print(stderr, "wrote {} and {}: `breakeven sweep {} --db results.db` measures these calls\n",
             options.profile, file, file);
}

/// Runs the command without Breakeven.
int run_without(const Options& options, const std::string& reason) {
  if (options.strict) throw UsageError(reason + "; not started, as --strict says");
  const bool there = launch::runnable(options.command.front());
  fmt::print(stderr, "breakeven: {}{}\n", reason,
             there ? "; the command runs without Breakeven" : "");
  if (!there) return kNotFound;
  return launch::run_in_foreground({.arguments = options.command});
}

int run(const Options& options) {
  if (options.tables.empty()) static_cast<void>(launch::preload_library(options.library));
  if (!options.library.empty() && sweep_file(options.profile) == options.profile) {
    throw UsageError(
        fmt::format("--out {}: a sweep file of this name is written next to the profile; give the "
                    "profile another name, such as profile.json",
                    options.profile));
  }
  std::optional<session::ProgramTables> tables;
  session::Program program{
      .command = options.command, .mpi = options.library, .strict = options.strict};
  std::string obstacle;
  try {
    if (!options.tables.empty()) {
      tables = session::read_program_tables(options.tables);
      program.mpi = tables->mpi();
    }
    obstacle = session::obstacle_to(program, tables ? &*tables : nullptr);
  } catch (const UsageError& error) {
    obstacle = error.what();
  }
  if (!obstacle.empty()) return run_without(options, obstacle);
  std::error_code ignored;
  std::filesystem::remove(options.profile, ignored);  // a file afterwards is this run's
  const session::ProgramEnd end = session::run_program(program, tables ? &*tables : nullptr);
  for (const std::string& each : end.complaints) fmt::print(stderr, "breakeven: {}\n", each);
  if (end.profile) {
    print_programs(*end.profile);
    print(*end.profile, end.by_tables ? tables : std::nullopt);
    if (!options.profile.empty()) write_file(options.profile, tables::to_json(*end.profile));
    if (!options.library.empty()) write_sweep(*end.profile, options);
  }
  return end.status;
}

void add_command(CLI::App& app, Options& options) {
  app.add_option("COMMAND", options.command,
                 "command that starts the program: mpiexec.mpich -n 4 ./program ...")
      ->required();
}

std::function<int()> setup_run(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add(app, "--tables", options->tables,
      "folder of `breakeven tune --out`: its tables choose the algorithms of the program's calls")
      ->required()
      ->type_name("FOLDER");
  add_file(app, "--profile", options->profile,
           "profile to write, as JSON: for --profile of `report` and `tune` [none]");
  app.add_flag("--strict", options->strict,
               "where the tables can't be used, end with status 2 instead of a run without them");
  add_command(app, *options);
  return [options] { return run(*options); };
}

std::function<int()> setup_profile(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  options->profile = "profile.json";
  app.add_option("--machine", options->library, "MPI library of the program: mpich or openmpi")
      ->required()
      ->type_name("MACHINE");
  add_file(app, "--out", options->profile, "file for the profile");
  add_command(app, *options);
  return [options] { return run(*options); };
}

}  // namespace

const Command kRun{.name = "run",
                   .summary = "Run an unchanged MPI program with a table, and say what it saves",
                   .examples = R"(
Preloads libbreakeven-mpich.so or libbreakeven-openmpi.so into the program. The table's algorithm or
mock-up performs a call; where it has none, the library does, with its own files of the folder. At
the end a summary lists the calls, the algorithms that ran, and the time saved. Where the tables
can't be used (the program, mpiexec or the machine is not the one of the tables, or a file is
damaged), one line says why, and the command runs without them.
Examples:
  breakeven run --tables tables -- mpiexec.mpich -n 4 ./program input
  breakeven run --tables tables --profile profile.json -- srun ./program
Exit status: the program's; 2 with --strict where the tables can't be used.)",
                   .setup = setup_run};

const Command kProfile{.name = "profile",
                       .summary = "Run an unchanged MPI program, and record its collective calls",
                       .examples = R"(
Records how often the program calls each collective, with how many processes and bytes, and how long
that takes: blocking, nonblocking and persistent calls of the collectives of which Breakeven has
algorithms. A sweep file next to it measures these calls, first and most those that take most time.
Examples:
  breakeven profile --machine openmpi -- mpiexec.openmpi -n 4 ./program input
  breakeven profile --machine mpich --out profile.json -- srun ./program
  breakeven sweep profile.toml --db results.db
  breakeven tune --db results.db --profile profile.json --out tables
Exit status: the program's.)",
                       .setup = setup_profile};

}  // namespace breakeven::cli
