// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/database.hpp"
#include "cli/files.hpp"
#include "cli/version.hpp"
#include "core/error.hpp"
#include "harness/launch/child_process.hpp"
#include "tuner/emit/emitter.hpp"
#include "tuner/left_out.hpp"
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
  std::vector<const Emitter*> chosen;
  for (const std::string& format : options.formats) chosen.push_back(&find_emitter(format));
  const Selection from = select_machine(options.database);
  const std::vector<Measurement> measurements = from.store.measurements(from.id);
  const Table table = make_table(measurements, key);
  const Provenance provenance{.database = std::filesystem::path{options.database.file}.filename(),
                              .machine = from.machine,
                              .offer = from.store.offer(from.id),
                              .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                              .version = fmt::format("{} ({})", kVersion, kGitCommit),
                              .command = command_of(options, from.machine)};
  const std::string text = readable(table, provenance, leave_out_procs(measurements, key));
  fmt::print("{}", text);
  if (options.folder.empty()) return 0;

  make_folder(options.folder);
  const std::filesystem::path folder{options.folder};
  write_file(folder / "table.txt", text);
  fmt::print("\nwrote {}\n", (folder / "table.txt").string());
  for (const Emitter* emitter : chosen) {
    key.candidates = emitter->candidates;
    const Emitted emitted = emitter->emit(make_table(measurements, key), provenance);
    const std::filesystem::path file = folder / emitter->file_name;
    write_file(file, emitted.text);
    fmt::print("wrote {}\n", file.string());
    for (const std::string& line : emitted.degraded) fmt::print("  {}\n", line);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  app.add_option("--out", options->folder, "folder for the table's files; none: only print it");
  for (const Emitter& emitter : emitters()) options->formats.emplace_back(emitter.name);
  app.add_option("--format", options->formats, "which formats to write")
      ->delimiter(',')
      ->capture_default_str();
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
