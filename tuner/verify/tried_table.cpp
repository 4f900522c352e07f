// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/tried_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"
#include "sim/machine.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tuner/verify/table_folder.hpp"
#include "tuner/verify/table_in_force.hpp"
#include "tuner/verify/with_default.hpp"

namespace breakeven::verify {

namespace {

namespace fs = std::filesystem;

/// The table that the library's files are made from.
constexpr std::string_view kKept = "json_library";
constexpr std::string_view kHeader = "cpp_header";

/// @param with_table  the case that solves a problem by the table, from the choice
template <typename WithTable>
std::vector<TriedProblem> tried_problems(const tables::Table& table, const Trial& trial,
                                         WithTable&& with_table) {
  std::vector<TriedProblem> tried;
  for (const Case& problem : problems_of_trial(table, trial)) {
    const Variant choice = tables::chosen(table, problem).variant;
    tried.push_back({problem, choice, with_table(problem, choice)});
  }
  return tried;
}

/// An MPI library loads it: only the library knows its choice for a problem.
TriedTable library_table(const fs::path& folder, const Trial& trial) {
  const formats::Emitter& keeps = formats::find_emitter(kKept);
  const fs::path file = folder / keeps.file_name;
  TriedTable table{.kept = formats::kept_table(read_file(file), file.string())};
  table.problems = tried_problems(table.kept.table, trial, [](Case problem, const Variant&) {
    problem.variant = Tuned{};
    return problem;
  });
  const bool several_nodes =
      std::ranges::any_of(table.problems, [](auto& each) { return each.problem.nodes > 1; });
  const Machine& machine = table.kept.provenance.machine;
  TableInForce in_force = find_table(folder, machine.name, machine.library_version, several_nodes);
  for (const formats::Emitter* emitter : in_force.files) {
    table.files.push_back({emitter, folder / emitter->file_name});
  }
  table.files.push_back({&keeps, file});
  table.environment = std::move(in_force.environment);
  table.beside_default = in_force.beside_default;
  return table;
}

/// Programs ask it: its choice can be measured itself.
TriedTable header_table(const fs::path& file, const Trial& trial) {
  TriedTable table{
      .files = {{&formats::find_emitter(kHeader), file}},
      .kept = without_faults(formats::read_kept_header(read_file(file)), file.string())};
  const Machine& machine = table.kept.provenance.machine;
  if (sim::is_model(machine.name)) {
    throw UsageError(
        fmt::format("{}: made of {}, a model; only an MPI library has a default that "
                    "a table can be compared with",
                    file.string(), machine.name));
  }
  table.problems = tried_problems(table.kept.table, trial, [](const Case& problem, auto& choice) {
    return with_variant(problem, choice);
  });
  return table;
}

bool is_for_library(const formats::Emitter& emitter) {
  return emitter.candidates == tables::Candidates::library;
}

std::vector<TriedTable> tables_in_folder(const fs::path& folder, const Trial& trial) {
  std::vector<TriedTable> tables;
  if (std::ranges::any_of(formats::emitters(), [&](const formats::Emitter& each) {
        return is_for_library(each) && fs::exists(folder / each.file_name);
      })) {
    tables.push_back(library_table(folder, trial));
  }
  const fs::path header = folder / formats::find_emitter(kHeader).file_name;
  if (fs::exists(header)) tables.push_back(header_table(header, trial));
  if (!tables.empty()) return tables;
  throw UsageError(
      fmt::format("'{}' has neither {} nor {} with the files of an MPI library; "
                  "`breakeven tune --out {}` makes them",
                  folder.string(), header.filename().string(),
                  formats::find_emitter(kKept).file_name, folder.string()));
}

TriedTable table_in_file(const fs::path& file, const Trial& trial) {
  if (formats::find_emitter(kHeader).recognises(read_file(file))) return header_table(file, trial);
  const auto of_library =
      std::ranges::find_if(formats::emitters(), [&](const formats::Emitter& each) {
        return is_for_library(each) && each.file_name == file.filename().string();
      });
  if (of_library != formats::emitters().end()) return library_table(file.parent_path(), trial);
  throw UsageError(fmt::format(
      "'{}' is neither a C++ header nor a file of an MPI library's table, as `breakeven tune` "
      "writes and calls them",
      file.string()));
}

/// @throws UsageError where no table has a problem at a p that was asked for
void require_each(const std::vector<int>& procs, const std::vector<TriedTable>& tables) {
  for (const int each : procs) {
    std::set<int> per_node;
    bool there = false;
    for (const TriedTable& table : tables) {
      there |= std::ranges::any_of(table.problems,
                                   [&](auto& tried) { return tried.problem.procs == each; });
      for (const tables::Rule& rule : table.kept.table.rules)
        per_node.insert(rule.what.procs_per_node);
    }
    if (there) continue;
    throw UsageError(fmt::format("p = {} asked for; the table is for several nodes of {} processes",
                                 each, fmt::join(per_node, ", ")));
  }
}

}  // namespace

bool TriedTable::changes_nothing() const {
  return std::ranges::all_of(problems,
                             [](auto& each) { return each.choice.template is<Native>(); });
}

std::vector<TriedTable> find_tried_tables(const fs::path& path, const Trial& trial) {
  const std::vector<TriedTable> tables = fs::is_directory(path)
                                             ? tables_in_folder(path, trial)
                                             : std::vector{table_in_file(path, trial)};
  require_each(trial.procs, tables);
  const Machine& one = tables.front().kept.provenance.machine;
  const Machine& other = tables.back().kept.provenance.machine;
  if (one.name == other.name && one.library_version == other.library_version) return tables;
  throw UsageError(fmt::format("{} is for '{}', but {} for '{}': name the one to prove",
                               tables.front().files.front().path.string(), one.library_version,
                               tables.back().files.front().path.string(), other.library_version));
}

std::vector<std::string> write_where_verified(const std::vector<TriedTable>& tables,
                                              const std::vector<Verification>& verifications,
                                              const std::string& trial) {
  std::vector<TakenBack> all;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Verification verification = verifications[i];
    // It would give other bits at some sizes than at others, which costs more than time.
    if (!tables[i].kept.provenance.reproducible.empty()) {
      std::erase_if(verification.cells,
                    [](const VerifiedCell& cell) { return reduces(cell.problem.collective); });
    }
    const std::vector<TakenBack> back = taken_back(tables[i].kept.table, verification);
    all.insert(all.end(), back.begin(), back.end());
  }
  std::vector<std::string> lines = lines_of(all);
  if (!all.empty()) write_without(tables.front().files.front().path, all, trial);
  return lines;
}

}  // namespace breakeven::verify
