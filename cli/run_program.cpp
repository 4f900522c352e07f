// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/show.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/program.hpp"
#include "tuner/formats/common/head.hpp"
#include "tuner/formats/own/json.hpp"
#include "tuner/profile.hpp"
#include "tuner/saving.hpp"
#include "tuner/verify/table_in_force.hpp"

namespace breakeven::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRows = 25;  // on the screen; the profile has all

/// What `tune` calls the tables: of all candidates, and of the library's.
constexpr std::string_view kTable = "table.json";
constexpr std::string_view kLibraryTable = "library_table.json";

struct Options {
  std::string tables;   ///< a folder; empty: the program is only watched
  std::string library;  ///< "mpich", where no table says it
  std::string profile;
  bool strict = false;
  std::vector<std::string> command;
};

/// The tables of a folder.
struct Tables {
  formats::KeptTable all{};
  std::optional<tuner::Table> library{};  ///< with files that the library loads
  std::vector<std::string> environment{};
};

formats::KeptTable read_table(const fs::path& file) {
  formats::ReadKept read = formats::read_kept_table(read_file(file));
  if (read.faults.empty()) return std::move(read.kept);
  throw UsageError(formats::fault_text(file.string(), read.faults.front()));
}

bool on_several_nodes(const tuner::Table& table) {
  return std::ranges::any_of(table.rules, [](const auto& rule) { return rule.what.nodes > 1; });
}

Tables read_tables(const fs::path& folder) {
  Tables tables{.all = read_table(folder / kTable)};
  if (!fs::exists(folder / kLibraryTable)) return tables;
  const Machine& machine = tables.all.provenance.machine;
  tables.library = read_table(folder / kLibraryTable).table;
  tables.environment = verify::find_table(folder, machine.name, machine.library_version,
                                          on_several_nodes(tables.all.table))
                           .environment;
  return tables;
}

/// A file that is there for as long as this object.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_{fs::current_path() / fmt::format(".breakeven_profile.{}.json", getpid())} {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Calls that are one row: of all datatypes and operations.
struct Row {
  tuner::Amount amount{};
  std::optional<tuner::Speedup> speedup{};
  double saved_s = 0;
};
using Rows = std::map<std::vector<std::string>, Row>;

Rows rows_of(const tuner::Profile& profile, const std::optional<Tables>& tables) {
  Rows rows;
  for (const auto& [use, amount] : profile.uses) {
    tuner::Saving saving{.algorithm = use.algorithm};
    if (tables) {
      saving = tuner::saving_of(use, amount, tables->all.table,
                                tables->library ? &*tables->library : nullptr);
    }
    const std::string message = moves_data(use.collective) ? to_text(use.message) : "";
    Row& row = rows[{std::string{kCollectives.of(use.collective)}, fmt::to_string(use.layout.procs),
                     to_text(use.layout.mapping), message, saving.algorithm}];
    row.amount.calls += amount.calls;
    row.amount.seconds += amount.seconds;
    row.speedup = saving.speedup;
    row.saved_s += saving.saved_s;
  }
  return rows;
}

void print(const tuner::Profile& profile, const std::optional<Tables>& tables) {
  const Rows rows = rows_of(profile, tables);
  std::vector<const Rows::value_type*> longest;
  tuner::Amount all;
  double saved_s = 0;
  for (const auto& row : rows) {
    longest.push_back(&row);
    all.calls += row.second.amount.calls;
    all.seconds += row.second.amount.seconds;
    saved_s += row.second.saved_s;
  }
  std::ranges::sort(longest, std::greater{}, [](auto* row) { return row->second.amount.seconds; });
  std::vector<Cells> cells;
  for (const auto* row : longest) {
    if (cells.size() == kMostRows) break;
    Cells line = row->first;
    const Row& of = row->second;
    line.insert(line.begin() + 4,
                {fmt::to_string(of.amount.calls), fmt::format("{:.3g}", of.amount.seconds)});
    if (tables) {
      line.push_back(of.speedup ? fmt::format("{:.2f}, {:.2f} to {:.2f}", of.speedup->ratio,
                                              of.speedup->low, of.speedup->high)
                                : "");
      line.push_back(of.speedup ? fmt::format("{:.3g}", of.saved_s) : "");
    }
    cells.push_back(std::move(line));
  }
  Cells columns{"collective", "p", "mapping", "message", "calls", "time_s", "algorithm"};
  if (tables) columns.insert(columns.end(), {"speedup", "saved_s"});
  fmt::print(stderr, "\n{}", to_table(columns, cells));
  if (rows.size() > cells.size()) {
    fmt::print(stderr, "  and {} more, which take less time\n", rows.size() - cells.size());
  }
  fmt::print(stderr, "\n{} calls took {:.3g} s of {:.3g} s", all.calls, all.seconds,
             profile.wall_s);
  if (tables) {
    fmt::print(stderr, "; {:.3g} s saved, by the speedups that were measured for the table",
               saved_s);
  }
  fmt::print(stderr, "\n");
}

std::string preloaded(std::string_view library) {
  const char* const others = std::getenv("LD_PRELOAD");
  const std::string ours = launch::preload_library(library).string();
  return others == nullptr || *others == '\0' ? ours : ours + ':' + others;
}

int run(const Options& options) {
  std::optional<Tables> tables;
  if (!options.tables.empty()) tables = read_tables(options.tables);
  const std::string library = tables ? tables->all.provenance.machine.name : options.library;
  const TemporaryFile temporary;
  const fs::path file = options.profile.empty() ? temporary.path() : fs::absolute(options.profile);
  std::error_code ignored;
  fs::remove(file, ignored);  // so that it is this program's
  std::vector<std::string> variables{"LD_PRELOAD=" + preloaded(library),
                                     "BREAKEVEN_PROFILE=" + file.string()};
  if (tables) {
    variables.push_back("BREAKEVEN_TABLE=" +
                        fs::absolute(options.tables / fs::path{kTable}).string());
  }
  if (options.strict) variables.emplace_back("BREAKEVEN_STRICT=1");
  launch::ChildProcess::Command command =
      launch::with_environment(options.command, library, variables);
  if (tables) {
    command.environment.insert(command.environment.end(), tables->environment.begin(),
                               tables->environment.end());
  }
  const int status = launch::run_in_foreground(command);
  if (!fs::exists(file)) {
    fmt::print(stderr,
               "breakeven: the program left no profile: it did not reach MPI_Finalize, or "
               "is no program of {}\n",
               library);
    return status;
  }
  print(tuner::read_profile(read_file(file)), tables);
  return status;
}

void add_command(CLI::App& app, Options& options) {
  app.add_option("COMMAND", options.command, "that starts the program: mpiexec -n 4 ./program ...")
      ->required();
  app.positionals_at_end();
  app.prefix_command(false);
}

std::function<int()> setup_run(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--tables", options->tables, "folder of `breakeven tune --out`")->required();
  app.add_option("--profile", options->profile, "file for what the program called, as JSON [none]");
  app.add_flag("--strict", options->strict,
               "end the job where the table cannot be used, instead of running without it");
  add_command(app, *options);
  return [options] { return run(*options); };
}

std::function<int()> setup_profile(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--machine", options->library, "MPI library of the program: mpich or openmpi")
      ->required();
  app.add_option("--out", options->profile, "file for the profile")
      ->default_val("profile.json")
      ->capture_default_str();
  add_command(app, *options);
  return [options] { return run(*options); };
}

}  // namespace

namespace run_command {
const Command command{.name = "run",
                      .summary = "Run an unchanged MPI program with a table, and say what it saves",
                      .examples = R"(
Preloads libbreakeven-mpich.so or libbreakeven-openmpi.so into the program: calls for which the table
chooses an algorithm of Breakeven run by it, all others by the library, which loads its own files of
the folder. At the end it prints what was called, by what it ran, and what that saved. A table of
another machine, library or version is refused in one line, and changes nothing.
Examples:
  breakeven run --tables tables -- mpiexec -n 4 ./program input
  breakeven run --tables tables --profile profile.json -- srun ./program
Exit status: the program's; 2 where it was not started.)",
                      .setup = setup_run};
}
namespace profile_command {
const Command command{.name = "profile",
                      .summary = "Run an unchanged MPI program, and record its collective calls",
                      .examples = R"(
Records how often the program calls each collective, with how many processes and bytes, and how long
that takes: of the collectives of which Breakeven has algorithms, in blocking form.
Examples:
  breakeven profile --machine openmpi -- mpiexec -n 4 ./program input
  breakeven profile --machine mpich --out profile.json -- srun ./program
Exit status: the program's; 2 where it was not started.)",
                      .setup = setup_profile};
}

}  // namespace breakeven::cli
