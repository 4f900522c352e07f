// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/profile.hpp"
#include "cli/tune_tables.hpp"
#include "core/error.hpp"
#include "core/file_set.hpp"
#include "core/files.hpp"
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
  tuner::TableKey key{};
  std::vector<std::string> allowed_unsafe;
  std::string profile;
  bool reproducible = false;
};

/// What the table is for, with the time of the program.
tuner::TableKey key_of(const Options& options) {
  tuner::TableKey key = options.key;
  key.allowed_unsafe = {options.allowed_unsafe.begin(), options.allowed_unsafe.end()};
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

int run(const CLI::App& app, const Options& options) {
  const tuner::TableKey key = key_of(options);
  // Before anything is read: a wrong word is a wrong word on every machine.
  for (const std::string& format : options.formats)
    static_cast<void>(formats::find_emitter(format));
  const Selection from = select_machine(options.database);
  const std::vector<Measurement> measurements = from.store.measurements(from.id);
  TunedTables tables{measurements, key, options.reproducible};
  if (!options.reproducible) tables.make_all();
  const tables::Table& table = tables.of(tables::Candidates::all).table;
  const tables::Provenance provenance = provenance_of(
      from, options.database.file, command_line(app, {{"--machine", from.machine.name}}),
      measurements, key.allowed_unsafe);
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

std::string formats_help() {
  std::string help = "formats to write:";
  for (const formats::Emitter& emitter : formats::emitters())
    help += fmt::format(" {}", emitter.name);
  return help + " [all that suit the machine]";
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  app.add_option("--out", options->folder,
                 "folder for the table's files, which an older table's replace [none: only print "
                 "the table]")
      ->type_name("FOLDER");
  app.add_option("--format", options->formats, formats_help())->delimiter(',')->type_name("NAME");
  add_file(
      app, "--profile", options->profile,
      "make the table for one program: file of `breakeven profile`, whose sizes count by the time "
      "that the program spends there [none: all doublings of the size count alike]");
  app.add_flag("--reproducible", options->reproducible,
               "same bits everywhere: one choice for all sizes and process counts of each "
               "collective that reduces, with equal results on all ranks; prints what that costs");
  add(app, "--datatype", options->key.datatype,
      "use the measurements of this datatype; required if several were measured");
  add(app, "--op", options->key.op,
      "use the measurements of this operation; required if several were measured");
  add(app, "--mapping", options->key.mapping,
      "use only measurements with this mapping: seq, rr, ...; tables of MPI libraries cannot tell "
      "mappings apart [all]");
  add(app, "--root", options->key.root,
      "use the measurements of this root; required if several were measured")
      ->group(kRare);
  add(app, "--procs-per-node", options->key.procs_per_node,
      "required if one process count was measured on several numbers of nodes")
      ->group(kRare);
  app.add_option("--allow-unsafe", options->allowed_unsafe,
                 "let tables choose these algorithms of the library, which fail for some calls "
                 "that MPI permits: openmpi:reduce/binomial,...")
      ->delimiter(',')
      ->type_name("NAME")
      ->group(kRare);
  return [options, &app] { return run(app, *options); };
}

}  // namespace

}  // namespace breakeven::cli::tune_command

const breakeven::cli::Command breakeven::cli::kTune{
    .name = "tune",
    .summary = "Choose the algorithm of each collective, and write tables",
    .examples = R"(
Examples:
  breakeven tune --db results.db
  breakeven tune --db results.db --machine openmpi --out tables
  breakeven tune --db results.db --profile profile.json --out tables
  breakeven tune --db results.db --reproducible --out tables
  breakeven tune --db results.db --machine openmpi --out tables --format openmpi_rules --allow-unsafe openmpi:reduce/binomial)",
    .setup = tune_command::setup};
