// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/paths.hpp"
#include "harness/launch/program.hpp"
#include "harness/session/roll_call.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/emitter.hpp"
#include "tables/saving.hpp"
#include "tuner/verify/table_in_force.hpp"

namespace breakeven::session {

namespace {

namespace fs = std::filesystem;

formats::KeptTable read_table(const fs::path& file) {
  return formats::kept_table(read_file(file), file.string());
}

/// A folder in the current one, which all nodes see; this object's end removes it.
class RecordsFolder {
 public:
  RecordsFolder() {
    for (const fs::path& folder : {fs::current_path(), fs::temp_directory_path()}) {
      std::string name = folder / ".breakeven.XXXXXX";
      if (mkdtemp(name.data()) == nullptr) continue;
      path_ = name;
      return;
    }
    throw Error(fmt::format("can't make a folder in {}: {}", fs::current_path().string(),
                            std::strerror(errno)));
  }
  ~RecordsFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  RecordsFolder(const RecordsFolder&) = delete;
  RecordsFolder& operator=(const RecordsFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The profile of each program that reached MPI_Finalize, in the order of their ends.
std::vector<tables::Profile> records_in(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::path& file : fs::directory_iterator{folder}) {
    if (file.extension() == ".json") files.emplace_back(fs::last_write_time(file), file);
  }
  std::ranges::sort(files);
  std::vector<tables::Profile> records;
  for (const auto& [time, file] : files) records.push_back(tables::read_profile(read_file(file)));
  return records;
}

/// The reason why no MPI program was seen at all.
std::string unseen(const Program& program, const RollCall& heard, int status) {
  const auto none = heard.others().rend();
  const auto found = [&](Notice::Kind kind) {
    return std::ranges::find(heard.others().rbegin(), none, kind, &Notice::kind);
  };
  if (const auto last = found(Notice::Kind::no_init); last != none) {
    return fmt::format("no profile: {} on {} ended without a call of MPI_Init", last->program,
                       last->node);
  }
  const auto launcher = found(Notice::Kind::launcher);
  if (launcher != none && !launcher->detail.empty()) {
    return fmt::format("no profile: {} was told an {} that displaces Breakeven's: name both there",
                       launcher->program, launcher->detail);
  }
  if (status != 0) {
    return fmt::format("no profile: no MPI program was seen, and the command ended with status {}",
                       status);
  }
  const bool by_launcher = launch::is_launcher(program.command.front());
  if (launcher == none && !by_launcher) return "no profile: the command started no MPI program";
  std::string why = fmt::format(
      "no profile: no MPI program of the job loaded {}: it is linked statically, or something "
      "sets LD_PRELOAD anew",
      launch::preload_library(program.mpi).string());
  if (!by_launcher) {
    why += fmt::format(
        ", or {0} does not pass LD_PRELOAD to other nodes: put Breakeven directly before {0}",
        launcher->program);
  }
  return why;
}

/// A line for each program without a profile, or that ran otherwise than requested.
std::vector<std::string> complaints_of(const Program& program, const RollCall& heard,
                                       const fs::path& records, int status) {
  std::vector<std::string> lines = heard.complaints();
  for (const Notice& each : heard.others()) {
    if (each.kind == Notice::Kind::past_us) {
      lines.push_back(fmt::format(
          "{} on {} is not seen: {}", each.program, each.node,
          each.detail.empty() ? "it opened the MPI library by dlopen, past what is preloaded"
                              : fmt::format("its MPI_Init is that of {}", each.detail)));
    } else if (each.kind == Notice::Kind::foreign) {
      lines.push_back(fmt::format("{} on {} is not seen: it is a program of {}, not of {}",
                                  each.program, each.node, each.detail, program.mpi));
    }
  }
  for (const RollCall::Program& each : heard.programs()) {
    const auto first = std::ranges::find(each.ranks, 0, &Notice::rank);
    if (!each.takes_part || each.spawned || first == each.ranks.end()) continue;
    if (fs::exists(records / fmt::format("{}.{}.json", first->node, first->pid))) continue;
    lines.push_back(fmt::format("no profile of {} on {}: it did not reach MPI_Finalize",
                                first->program, first->node));
  }
  if (heard.programs().empty() && lines.empty() && fs::is_empty(records)) {
    lines.push_back(unseen(program, heard, status));
  }
  // Ranks of one program say the same.
  std::ranges::sort(lines);
  lines.erase(std::ranges::unique(lines).begin(), lines.end());
  return lines;
}

tables::Profile profile_of(const Program& program, const ProgramTables* tables) {
  ProgramEnd end = run_program(program, tables);
  if (end.status == 0 && end.complaints.empty()) return *std::move(end.profile);
  throw Error(fmt::format("{} the tables the program ended with status {}{}: nothing is compared",
                          tables == nullptr ? "without" : "with", end.status,
                          end.complaints.empty() ? "" : " (" + end.complaints.front() + ")"));
}

}  // namespace

ProgramTables read_program_tables(const fs::path& folder) {
  const fs::path file = folder / formats::find_emitter("json").file_name;
  if (!fs::is_directory(folder)) {
    throw UsageError(
        fmt::format("no folder '{}', as `breakeven tune --out` makes", folder.string()));
  }
  const fs::path of_library = folder / formats::find_emitter("json_library").file_name;
  ProgramTables tables{.file = fs::absolute(file), .all = read_table(file)};
  const Machine& machine = tables.all.provenance.machine;
  if (machine.kind == MachineKind::model) {
    throw UsageError(
        fmt::format("{}: made of {}, a model; a program takes tables of an MPI library",
                    file.string(), machine.name));
  }
  if (!fs::exists(of_library) || !verify::has_table(folder, machine.name)) return tables;
  tables.library = read_table(of_library).table;
  tables.environment = verify::find_table(folder, machine.name, machine.library_version,
                                          tables.all.table.on_several_nodes())
                           .environment;
  return tables;
}

std::string obstacle_to(const Program& program, const ProgramTables* tables) {
  static_cast<void>(launch::preload_library(program.mpi));
  const launch::CommandFacts facts = launch::facts_of(program.command);
  if (!facts.missing.empty()) return facts.missing;
  const std::string wanted =
      fmt::format("{} {}", tables != nullptr ? "the tables are for" : "--machine is", program.mpi);
  for (const auto& [file, library] : facts.programs) {
    if (library == program.mpi) continue;
    return fmt::format("'{}' is a program of {}, and {}", file, library, wanted);
  }
  if (facts.launches.empty() || facts.launches == program.mpi) return "";
  return fmt::format("'{}' starts programs of {}, and {}", facts.launcher, facts.launches, wanted);
}

ProgramEnd run_program(const Program& program, const ProgramTables* tables) {
  const RecordsFolder records;
  const bool strict = program.strict && tables != nullptr;
  RollCall roll_call{strict, tables == nullptr ? nullptr : &tables->all.provenance.machine};
  std::vector<std::string> variables = launch::preload(launch::preload_library(program.mpi));
  variables.push_back("BREAKEVEN_PROFILE=" + records.path().string());
  variables.push_back(roll_call.variable());
  if (tables != nullptr) variables.push_back("BREAKEVEN_TABLE=" + tables->file.string());
  if (strict) variables.emplace_back("BREAKEVEN_STRICT=1");
  launch::ChildProcess::Command command =
      launch::with_environment(program.command, program.mpi, variables);
  if (tables != nullptr) {
    command.environment.insert(command.environment.end(), tables->environment.begin(),
                               tables->environment.end());
  }
  const auto started = [&] { roll_call.start(); };
  ProgramEnd end{.status = launch::run_in_foreground(command, program.quiet, started)};
  roll_call.stop();
  end.complaints = complaints_of(program, roll_call, records.path(), end.status);
  std::vector<tables::Profile> profiles = records_in(records.path());
  if (!profiles.empty()) end.profile = tables::sum_of(std::move(profiles));
  end.by_tables =
      tables != nullptr && std::ranges::all_of(roll_call.programs(), &RollCall::Program::by_table);
  if (strict && end.status == 0 && !end.complaints.empty()) end.status = 2;
  return end;
}

ProgramSpeedup speedup_of_program(Program program, const ProgramTables& tables, int pairs,
                                  const std::function<void(int run)>& began) {
  ProgramSpeedup found;
  program.quiet = true;
  program.strict = true;
  std::vector<double> ratios;
  for (int pair = 0; pair < pairs; ++pair) {
    std::array<double, 2> walls{};
    // The order alternates, so that a drift favours neither.
    for (const int with : {pair % 2, 1 - pair % 2}) {
      began(2 * pair + (with == pair % 2 ? 0 : 1));
      const tables::Profile profile = profile_of(program, with == 1 ? &tables : nullptr);
      walls.at(static_cast<std::size_t>(with)) = profile.wall_s;
      if (with == 1) found.without_rules = tables::layouts_without_rules(profile, tables.all.table);
    }
    ratios.push_back(walls[0] / walls[1]);
  }
  found.speedup = stats::estimate_median(ratios);
  return found;
}

}  // namespace breakeven::session
