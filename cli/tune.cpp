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
#include "core/files.hpp"
#include "harness/launch/child_process.hpp"
#include "tuner/cross_validation.hpp"
#include "tuner/formats/emitter.hpp"
#include "tuner/formats/own/readable.hpp"
#include "tuner/table.hpp"
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

void make_folder(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw UsageError(fmt::format("can't make folder '{}': {}", folder, failure.message()));
  }
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
    key.program_time = tuner::program_time(profile_in(options.profile));
  }
  return key;
}

void write(const TableFile& file, const std::filesystem::path& folder) {
  if (!file.emitted) {
    fmt::print("skipped {}: {}\n", file.emitter->name, file.reason);
    return;
  }
  const std::filesystem::path path = folder / file.emitter->file_name;
  write_file(path, file.emitted->text);
  fmt::print("wrote {}\n", path.string());
  for (const std::string& line : file.emitted->degraded) fmt::print("  {}\n", line);
}

/// Beside files that an MPI library loads.
void write_module(const std::filesystem::path& folder, const tuner::Provenance& provenance,
                  const tuner::Table& table) {
  const Machine& machine = provenance.machine;
  if (machine.kind != MachineKind::library || !verify::has_table(folder, machine.name)) return;
  const bool several_nodes =
      std::ranges::any_of(table.rules, [](const auto& rule) { return rule.what.nodes > 1; });
  try {
    fmt::print("wrote {}\n", write_module_file(folder, provenance, several_nodes).string());
  } catch (const UsageError& error) {
    fmt::print("skipped the module file: {}\n", error.what());
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
  const tuner::Table& table = tables.of(tuner::Candidates::all).table;
  const tuner::Provenance provenance =
      provenance_of(from, options.database.file, command_of(options, from.machine), measurements,
                    key.allowed_unsafe);
  std::string text =
      options.reproducible
          ? formats::readable(table, provenance) +
                reproducible_text(tables, any_of_library(measurements))
          : formats::readable(table, provenance, tuner::cross_validate(measurements, key));
  if (!options.profile.empty()) {
    text += '\n' + covered_text(options.profile, key.program_time, table);
  }
  std::vector<TableFile> files;
  if (!options.folder.empty()) {
    files = table_files(options.formats, tables, measurements, provenance);
  }
  fmt::print("{}", text);
  if (options.folder.empty()) return 0;

  make_folder(options.folder);
  const std::filesystem::path folder{options.folder};
  write_file(folder / "table.txt", text);
  fmt::print("\nwrote {}\n", (folder / "table.txt").string());
  for (const TableFile& file : files) write(file, folder);
  write_module(folder, provenance, table);
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
