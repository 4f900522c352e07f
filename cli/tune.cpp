// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/database.hpp"
#include "cli/module_file.hpp"
#include "cli/profile.hpp"
#include "cli/tune_tables.hpp"
#include "core/error.hpp"
#include "core/file_set.hpp"
#include "core/files.hpp"
#include "harness/launch/child_process.hpp"
#include "tables/formats/emitter.hpp"
#include "tuner/make_table.hpp"
#include "tuner/readable.hpp"
#include "tuner/verify/table_folder.hpp"
#include "tuner/verify/table_in_force.hpp"

namespace breakeven::cli::tune_command {

namespace {

struct Options {
  DatabaseOptions database;
  std::string folder;
  std::vector<std::string> formats;
  std::string datatype;
  std::string op;
  std::optional<int> root{};
  std::optional<int> procs_per_node{};
  std::string mapping;
  std::vector<std::string> allowed_unsafe;
  std::string profile;
  bool reproducible = false;
};

/// The command that makes the same table again, as a shell takes it.
std::string command_of(const Options& options, const Machine& machine) {
  const std::string& asked = options.database.machine;
  launch::ChildProcess::Command command{.arguments = {"breakeven", "tune", "--db",
                                                      options.database.file, "--machine",
                                                      asked.empty() ? machine.name : asked}};
  const auto append = [&](const std::string& flag, const std::string& value) {
    if (!value.empty()) command.arguments.insert(command.arguments.end(), {flag, value});
  };
  append("--datatype", options.datatype);
  append("--op", options.op);
  if (options.root) append("--root", fmt::format("{}", *options.root));
  if (options.procs_per_node) {
    append("--procs-per-node", fmt::format("{}", *options.procs_per_node));
  }
  append("--mapping", options.mapping);
  append("--allow-unsafe", fmt::format("{}", fmt::join(options.allowed_unsafe, ",")));
  append("--profile", options.profile);
  if (options.reproducible) command.arguments.emplace_back("--reproducible");
  append("--format", fmt::format("{}", fmt::join(options.formats, ",")));
  append("--out", options.folder);
  return launch::to_text(command);
}

tuner::TableKey key_of(const Options& options) {
  tuner::TableKey key{
      .procs_per_node = options.procs_per_node,
      .allowed_unsafe = {options.allowed_unsafe.begin(), options.allowed_unsafe.end()}};
  if (!options.datatype.empty()) key.datatype = kDatatypes.parse(options.datatype);
  if (!options.op.empty()) key.op = kOps.parse(options.op);
  if (options.root) key.root = Rank{*options.root};
  if (!options.mapping.empty()) key.mapping = Mapping::parse(options.mapping);
  if (!options.profile.empty()) {
    key.program_time = tables::program_time(profile_in(options.profile));
  }
  return key;
}

/// What the file comes to, in words.
void tell(const TableFile& file, const std::filesystem::path& folder, bool asked) {
  if (file.emitted) {
    fmt::print("wrote {}\n", (folder / file.emitter->file_name).string());
    for (const std::string& line : file.emitted->degraded) fmt::print("  {}\n", line);
  } else if (!asked) {
    fmt::print("skipped {}: {}\n", file.emitter->name, file.reason);
  }
}

/// Beside files that an MPI library loads.
/// @return what came of it, a line
std::string write_module(const std::filesystem::path& files, const std::filesystem::path& folder,
                         const tables::Provenance& provenance, const tables::Table& table) {
  const Machine& machine = provenance.machine;
  if (machine.kind != MachineKind::library || !verify::has_table(files, machine.name)) return "";
  const bool several_nodes =
      std::ranges::any_of(table.rules, [](const auto& rule) { return rule.what.nodes > 1; });
  try {
    const auto module = write_module_file(files, provenance, several_nodes);
    return fmt::format("wrote {}\n", (folder / module.lexically_relative(files)).string());
  } catch (const UsageError& error) {
    return fmt::format("skipped the module file: {}\n", error.what());
  }
}

/// All at once, in the place of an older table's.
void write_all(const Options& options, const std::string& text, std::span<const TableFile> files,
               const tables::Provenance& provenance, const tables::Table& table) {
  const std::filesystem::path folder{options.folder};
  FileSet set{folder};
  write_file(set.next() / tuner::kReadableName, text);
  std::set<std::string> gone = verify::table_files_in(folder);
  for (const TableFile& each : files) {
    const std::string name{each.emitter->file_name};
    if (!each.emitted) continue;
    write_file(set.next() / name, each.emitted->text);
    gone.erase(name);
  }
  const std::string module = write_module(set.next(), folder, provenance, table);
  set.commit(gone);
  fmt::print("\nwrote {}\n", (folder / tuner::kReadableName).string());
  for (const TableFile& each : files) tell(each, folder, !options.formats.empty());
  fmt::print("{}", module);
  for (const std::string& name : gone) {
    fmt::print("removed {}, of the table before\n", (folder / name).string());
  }
}

int run(const Options& options) {
  const tuner::TableKey key = key_of(options);
  // Before anything is read: a wrong word is a wrong word on every machine.
  for (const std::string& format : options.formats)
    static_cast<void>(formats::find_emitter(format));
  const Selection from = select_machine(options.database);
  const std::vector<Measurement> measurements = from.store.measurements(from.id);
  TunedTables tables{measurements, key, options.reproducible};
  const tables::Table& table = tables.of(tables::Candidates::all).table;
  const tables::Provenance provenance =
      provenance_of(from, options.database.file, command_of(options, from.machine), measurements,
                    key.allowed_unsafe);
  const bool of_library = any_of_library(measurements);
  std::string notes = options.reproducible ? reproducible_text(tables, of_library)
                                           : tuner::between_measured(tables.cross_validated());
  if (!options.profile.empty()) {
    notes += '\n' + covered_text(options.profile, key.program_time, table);
  }
  const std::vector<TableFile> files =
      options.folder.empty() ? std::vector<TableFile>{}
                             : table_files(options.formats, tables, measurements, provenance);
  const std::string text = readable_text(tables, files, provenance, of_library, notes);
  fmt::print("{}", text);
  if (!options.folder.empty()) write_all(options, text, files, provenance, table);
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  app.add_option("--out", options->folder, "folder for the table's files [none: only print it]");
  std::string formats = "formats to write [all that suit the machine]:";
  for (const formats::Emitter& emitter : formats::emitters())
    formats += fmt::format(" {}", emitter.name);
  app.add_option("--format", options->formats, formats)->delimiter(',');
  app.add_option("--datatype", options->datatype, "required if several were measured");
  app.add_option("--op", options->op, "required if several were measured");
  app.add_option("--root", options->root, "required if several were measured");
  app.add_option("--procs-per-node", options->procs_per_node,
                 "required if one process count was measured on several numbers of nodes");
  app.add_option("--mapping", options->mapping,
                 "seq, rr, ...: use only measurements with this mapping; tables of MPI libraries "
                 "cannot tell mappings apart [all]");
  app.add_option("--allow-unsafe", options->allowed_unsafe,
                 "let tables choose these algorithms of the library, which fail for some calls "
                 "that MPI permits: openmpi:reduce/binomial,...")
      ->delimiter(',')
      ->type_name("NAME");
  app.add_option("--profile", options->profile,
                 "file of `breakeven profile`: sizes count by the time that the program spends "
                 "there [none: all doublings alike]");
  app.add_flag("--reproducible", options->reproducible,
               "one choice for all sizes and process counts of each collective that reduces, whose "
               "results have the same bits on all ranks and at all sizes; print what that costs");
  return [options] { return run(*options); };
}

}  // namespace

const Command command{.name = "tune",
                      .summary = "Choose the algorithm of each collective, and write tables",
                      .examples = R"(
Examples:
  breakeven tune --db results.db
  breakeven tune --db results.db --machine openmpi --out tables
  breakeven tune --db results.db --profile profile.json --out tables
  breakeven tune --db results.db --reproducible --out tables
  breakeven tune --db results.db --machine openmpi --out tables --format openmpi_rules --allow-unsafe openmpi:reduce/binomial)",
                      .setup = setup};

}  // namespace breakeven::cli::tune_command
