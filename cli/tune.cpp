// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cli/command.hpp"
#include "cli/database.hpp"
#include "cli/files.hpp"
#include "cli/version.hpp"
#include "core/error.hpp"
#include "harness/launch/child_process.hpp"
#include "tuner/emit/emitter.hpp"
#include "tuner/readable.hpp"
#include "tuner/table.hpp"

namespace breakeven {

namespace {

struct Options {
  DatabaseOptions database;
  std::string folder;
  std::vector<std::string> formats;
  std::string datatype;
  std::string op;
  std::optional<int> root{};
  std::optional<int> procs_per_node{};
};

/// The command that makes the same table again, as a shell takes it.
std::string command_of(const Options& options, const Machine& machine) {
  const std::string& asked = options.database.machine;
  ChildProcess::Command command{.arguments = {"breakeven", "tune", "--db", options.database.file,
                                              "--machine", asked.empty() ? machine.name : asked}};
  const auto append = [&](const std::string& flag, const std::string& value) {
    if (!value.empty()) command.arguments.insert(command.arguments.end(), {flag, value});
  };
  append("--datatype", options.datatype);
  append("--op", options.op);
  if (options.root) append("--root", fmt::format("{}", *options.root));
  if (options.procs_per_node) {
    append("--procs-per-node", fmt::format("{}", *options.procs_per_node));
  }
  append("--format", fmt::format("{}", fmt::join(options.formats, ",")));
  append("--out", options.folder);
  return to_text(command);
}

/// Those asked for; else all that are for tables of the machine.
std::vector<const Emitter*> formats_for(const Options& options, const Machine& machine) {
  std::vector<const Emitter*> chosen;
  for (const std::string& format : options.formats) chosen.push_back(&find_emitter(format));
  if (!options.formats.empty()) return chosen;
  for (const Emitter& format : emitters()) {
    if (format.library.empty() || format.library == machine.name) chosen.push_back(&format);
  }
  return chosen;
}

/// A form that was asked for has to be possible; another one is left out, and that is said.
std::optional<Emitted> emit(const Emitter& format, std::span<const Measurement> measurements,
                            TableKey key, const Provenance& provenance, const Options& options) {
  key.candidates = format.candidates;
  try {
    return format.emit(make_table(measurements, key), provenance);
  } catch (const UsageError& error) {
    if (!options.formats.empty()) throw;
    fmt::print("no {}: {}\n", format.file_name, error.what());
    return std::nullopt;
  }
}

void make_folder(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw UsageError(fmt::format("can't make folder '{}': {}", folder, failure.message()));
  }
}

int run(const Options& options) {
  TableKey key;
  if (!options.datatype.empty()) key.datatype = kDatatypes.parse(options.datatype);
  if (!options.op.empty()) key.op = kOps.parse(options.op);
  if (options.root) key.root = Rank{*options.root};
  key.procs_per_node = options.procs_per_node;
  const Selection from = select_machine(options.database);
  const std::vector<const Emitter*> chosen = formats_for(options, from.machine);
  const std::vector<Measurement> measurements = from.store.measurements(from.id);
  const Table table = make_table(measurements, key);
  const Provenance provenance{.database = std::filesystem::path{options.database.file}.filename(),
                              .machine = from.machine,
                              .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                              .version = fmt::format("{} ({})", kVersion, kGitCommit),
                              .command = command_of(options, from.machine)};
  const std::string text = readable(table, provenance);
  fmt::print("{}", text);
  if (options.folder.empty()) return 0;

  make_folder(options.folder);
  const std::filesystem::path folder{options.folder};
  write_file(folder / "table.txt", text);
  fmt::print("\nwrote {}\n", (folder / "table.txt").string());
  for (const Emitter* format : chosen) {
    const std::optional<Emitted> emitted = emit(*format, measurements, key, provenance, options);
    if (!emitted) continue;
    const std::filesystem::path file = folder / format->file_name;
    write_file(file, emitted->text);
    fmt::print("wrote {}\n", file.string());
    for (const std::string& line : emitted->degraded) fmt::print("  {}\n", line);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  app.add_option("--out", options->folder, "folder for the table's files; none: only print it");
  app.add_option("--format", options->formats,
                 "which formats to write [all that are for tables of the machine]")
      ->delimiter(',');
  app.add_option("--datatype", options->datatype, "when several were measured");
  app.add_option("--op", options->op, "when several were measured");
  app.add_option("--root", options->root, "when several were measured");
  app.add_option("--procs-per-node", options->procs_per_node,
                 "when one p was measured on several numbers of nodes");
  return [options] { return run(*options); };
}

}  // namespace

const Command tune_command{.name = "tune",
                           .summary = "Decide which algorithm to use where, and write the table",
                           .examples = R"(
Examples:
  breakeven tune --db results.db
  breakeven tune --db results.db --machine openmpi --out tables)",
                           .setup = setup};

}  // namespace breakeven
