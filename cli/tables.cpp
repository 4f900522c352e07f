// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "core/error.hpp"

namespace breakeven::cli {

const formats::Emitter* format_of(const std::string& file, std::string_view text) {
  const std::string name = std::filesystem::path{file}.filename().string();
  const formats::Emitter* by_name = nullptr;
  for (const formats::Emitter& each : formats::emitters()) {
    if (each.recognises(text)) return &each;
    if (each.file_name == name) by_name = &each;
  }
  return by_name;
}

std::vector<std::string> files_at(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  std::vector<std::string_view> names;
  for (const formats::Emitter& each : formats::emitters()) {
    names.push_back(each.file_name);
    const std::filesystem::path file = std::filesystem::path{path} / each.file_name;
    if (std::filesystem::exists(file)) files.push_back(file.string());
  }
  if (!files.empty()) return files;
  throw UsageError(
      fmt::format("no table in the folder '{}'; known names: {}", path, fmt::join(names, " ")));
}

namespace tables_command {
namespace {

std::shared_ptr<LintOptions> add_lint(CLI::App& app) {
  auto options = std::make_shared<LintOptions>();
  app.add_option("FILE", options->files, "table files, or folders of `breakeven tune --out`")
      ->required();
  app.add_option("--machine", options->machine,
                 "MPI library that loads them as a further test [theirs, if it is installed]");
  add_launcher_options(app, options->launcher);
  return options;
}

std::shared_ptr<AskOptions> add_ask(CLI::App& app) {
  auto options = std::make_shared<AskOptions>();
  app.add_option("FILE", options->file, "table file")->required();
  app.add_option("--collective", options->collective, "allreduce, bcast, ...")->required();
  app.add_option("--procs", options->procs, "number of processes")->required();
  app.add_option(
      "--bytes", options->bytes,
      "what MPI's count argument describes: 8, 3K, 1M; required unless there is no data");
  app.add_option("--nodes", options->nodes,
                 "nodes that they are on, for files of MPICH and its variables [1]");
  app.add_option("--mapping", options->mapping,
                 "mapping of ranks to nodes, for files that know several: seq, rr [seq]");
  app.add_option("--datatype", options->datatype,
                 "for files that count elements: scans in Open MPI's, reductions in MPICH's [int]");
  return options;
}

std::function<int()> setup(CLI::App& app) {
  app.require_subcommand(1);
  CLI::App* lint = app.add_subcommand(
      "lint", "Find errors in table files, of `breakeven tune` or other authors");
  CLI::App* ask = app.add_subcommand(
      "ask", "Print what a table file selects for a call, and which line says so");
  return [ask, lints = add_lint(*lint), asks = add_ask(*ask)] {
    return ask->parsed() ? ask_table(*asks) : lint_tables(*lints);
  };
}

}  // namespace

const Command command{.name = "tables",
                      .summary = "Find errors in table files, or ask what they select",
                      .examples = R"(
Exit status of lint: 0 no error; 2 otherwise, with a line FILE:LINE: REASON for each error.
Examples:
  breakeven tables lint tables
  breakeven tables lint tables/mpich_cvars.sh --machine mpich
  breakeven tables ask tables/openmpi_rules.conf --collective allreduce --procs 48 --bytes 3K
  breakeven tables ask tables/mpich_coll.json --collective bcast --procs 8 --nodes 2 --mapping rr --bytes 64)",
                      .setup = setup};

}  // namespace tables_command
}  // namespace breakeven::cli
