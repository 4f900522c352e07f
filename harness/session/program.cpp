// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/paths.hpp"
#include "harness/launch/program.hpp"
#include "tuner/formats/common/head.hpp"
#include "tuner/formats/emitter.hpp"
#include "tuner/verify/table_in_force.hpp"

namespace breakeven::session {

namespace {

namespace fs = std::filesystem;

formats::KeptTable read_table(const fs::path& file) {
  return formats::kept_table(read_file(file), file.string());
}

bool on_several_nodes(const tuner::Table& table) {
  return std::ranges::any_of(table.rules, [](const auto& rule) { return rule.what.nodes > 1; });
}

/// A file in the current folder, which all nodes see, that goes with this object.
class TemporaryFile {
 public:
  TemporaryFile() : path_{fs::current_path() / fmt::format(".breakeven.{}.json", getpid())} {}
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

double wall_of(const Program& program, const ProgramTables* tables) {
  const ProgramEnd end = run_program(program, tables);
  if (end.status == 0 && end.profile) return end.profile->wall_s;
  throw Error(fmt::format("{} the tables the program ended with status {}{}: nothing is compared",
                          tables == nullptr ? "without" : "with", end.status,
                          end.profile ? "" : " and did not reach MPI_Finalize"));
}

}  // namespace

ProgramTables read_program_tables(const fs::path& folder) {
  const fs::path file = folder / formats::find_emitter("json").file_name;
  const fs::path of_library = folder / formats::find_emitter("json_library").file_name;
  ProgramTables tables{.file = fs::absolute(file), .all = read_table(file)};
  const Machine& machine = tables.all.provenance.machine;
  if (!fs::exists(of_library) || !verify::has_table(folder, machine.name)) return tables;
  tables.library = read_table(of_library).table;
  tables.environment = verify::find_table(folder, machine.name, machine.library_version,
                                          on_several_nodes(tables.all.table))
                           .environment;
  return tables;
}

ProgramEnd run_program(const Program& program, const ProgramTables* tables) {
  const TemporaryFile temporary;
  const fs::path file = program.profile.empty() ? temporary.path() : fs::absolute(program.profile);
  std::error_code ignored;
  fs::remove(file, ignored);  // so that what is there afterwards is this run's
  std::vector<std::string> variables = launch::preload(launch::preload_library(program.mpi));
  variables.push_back("BREAKEVEN_PROFILE=" + file.string());
  if (tables != nullptr) variables.push_back("BREAKEVEN_TABLE=" + tables->file.string());
  if (program.strict) variables.emplace_back("BREAKEVEN_STRICT=1");
  launch::ChildProcess::Command command =
      launch::with_environment(program.command, program.mpi, variables);
  if (tables != nullptr) {
    command.environment.insert(command.environment.end(), tables->environment.begin(),
                               tables->environment.end());
  }
  ProgramEnd end{.status = launch::run_in_foreground(command, program.quiet)};
  if (fs::exists(file)) end.profile = tuner::read_profile(read_file(file));
  return end;
}

stats::Estimate speedup_of_program(Program program, const ProgramTables& tables, int pairs,
                                   const std::function<void(int run)>& began) {
  program.quiet = true;
  program.strict = true;
  std::vector<double> ratios;
  for (int pair = 0; pair < pairs; ++pair) {
    std::array<double, 2> walls{};
    // Who begins alternates too, so that a drift favours neither.
    for (const int with : {pair % 2, 1 - pair % 2}) {
      began(2 * pair + (with == pair % 2 ? 0 : 1));
      walls.at(static_cast<std::size_t>(with)) = wall_of(program, with == 1 ? &tables : nullptr);
    }
    ratios.push_back(walls[0] / walls[1]);
  }
  return stats::estimate_median(ratios);
}

}  // namespace breakeven::session
