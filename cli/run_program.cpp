// SPDX-License-Identifier: BSD-3-Clause
#include "cli/run_program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/profile_text.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/choose.hpp"
#include "harness/launch/program.hpp"
#include "harness/session/profile_sweep.hpp"
#include "harness/session/program.hpp"

namespace breakeven::cli {

namespace {

constexpr int kNotFound = 127;  // as in shells

std::filesystem::path sweep_file(std::filesystem::path profile) {
  return profile.replace_extension(".toml");
}

/// Writes the sweep file next to the profile, under its name.
void write_sweep(const tables::Profile& profile, const RunOptions& options) {
  const std::string toml = session::profile_sweep(profile, options.library);
  if (toml.empty()) return;
  const std::string file = sweep_file(options.profile).string();
  write_file(file, toml);
  fmt::print(stderr, "wrote {} and {}: `breakeven sweep {} --db results.db` measures these calls\n",
             options.profile, file, file);
}

/// Runs the command without Breakeven.
int run_without(const RunOptions& options, const std::string& reason) {
  if (options.strict) throw UsageError(reason + "; not started, as --strict says");
  const bool there = launch::runnable(options.command.front());
  fmt::print(stderr, "breakeven: {}{}\n", reason,
             there ? "; the command runs without Breakeven" : "");
  if (!there) return kNotFound;
  return launch::run_in_foreground({.arguments = options.command});
}

void add_command(CLI::App& app, RunOptions& options) {
  app.add_option("COMMAND", options.command,
                 "command that starts the program: mpiexec.mpich -n 4 ./program ...")
      ->required();
}

std::function<int()> setup_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  const auto tune = std::make_shared<TuneOptions>();
  add(app, "--tables", options->tables,
      "folder of `breakeven tune --out`: its tables choose the algorithms of the program's calls")
      ->required()
      ->type_name("FOLDER");
  add_file(app, "--profile", options->profile,
           "profile to write, as JSON: for --profile of `report` and `tune` [none]");
  app.add_flag("--strict", options->strict,
               "where the tables can't be used, end with status 2 instead of a run without them");
  add_tune_options(app, *tune);
  add_command(app, *options);
  return [options, tune] {
    return tune->budget.empty() ? play(*options).status : run_tuned(*options, *tune);
  };
}

int run_profile(const RunOptions& options) {
  static_cast<void>(launch::preload_library(options.library));
  if (sweep_file(options.profile) == options.profile) {
    throw UsageError(
        fmt::format("--out {}: a sweep file of this name is written next to the profile; give the "
                    "profile another name, such as profile.json",
                    options.profile));
  }
  const Played played = play(options);
  if (played.profile) write_sweep(*played.profile, options);
  return played.status;
}

std::function<int()> setup_profile(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  options->profile = "profile.json";
  app.add_option("--machine", options->library, "MPI library of the program: mpich or openmpi")
      ->required()
      ->type_name("MACHINE");
  add_file(app, "--out", options->profile, "file for the profile");
  add_command(app, *options);
  return [options] { return run_profile(*options); };
}

}  // namespace

Played play(const RunOptions& options) {
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
  if (!obstacle.empty())
    return {.status = run_without(options, obstacle), .complaint = std::move(obstacle)};
  std::error_code ignored;
  std::filesystem::remove(options.profile, ignored);  // a file afterwards is this run's
  session::ProgramEnd end = session::run_program(program, tables ? &*tables : nullptr);
  for (const std::string& each : end.complaints) fmt::print(stderr, "breakeven: {}\n", each);
  Played played{.status = end.status, .by_tables = end.by_tables};
  if (!end.complaints.empty()) played.complaint = end.complaints.front();
  if (!end.profile) return played;
  if (end.profile->uses.empty()) {
    fmt::print(stderr, "breakeven: no collective was called on more than one process{}\n",
               end.profile->procs > 1 ? "" : ": mpiexec or srun starts several");
  } else {
    played.saved_s = print_profile(*end.profile, end.by_tables ? tables : std::nullopt);
  }
  if (!options.profile.empty() && !end.profile->uses.empty())
    write_file(options.profile, tables::to_json(*end.profile));
  played.profile = std::move(end.profile);
  return played;
}

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
  breakeven run --tune 2% --tables tables -- srun ./program
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
