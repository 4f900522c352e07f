// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"

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

void print_advice(const std::string& file, const formats::ReadTable& table) {
  for (const auto& [line, reason] : table.advice) {
    fmt::print("{}\n", formats::fault_text(file, {line, "advice: " + reason}));
  }
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

struct AskOptions {
  std::string file{};
  Case problem{.datatype = Datatype::int_};
};

/// @throws UsageError when no call can be like that
Case problem_of(const AskOptions& options) {
  Case problem = options.problem;
  if (problem.procs < 1) throw UsageError(fmt::format("--procs {}: no such call", problem.procs));
  if (problem.nodes < 1 || problem.nodes > problem.procs) {
    throw UsageError(
        fmt::format("{} processes don't lie on {} nodes", problem.procs, problem.nodes));
  }
  if (problem.comms_per_node < 1) {
    throw UsageError(fmt::format("--comms-per-node {}: at least 1", problem.comms_per_node));
  }
  // MPI libraries choose for both alike.
  if (problem.form == CallForm::persistent) problem.form = CallForm::nonblocking;
  problem.procs_per_node = (problem.procs + problem.nodes - 1) / problem.nodes;
  if (problem.message == Bytes{} && moves_data(problem.collective)) {
    throw UsageError(
        fmt::format("--bytes is required for {}", kCollectives.of(problem.collective)));
  }
  return problem;
}

/// @throws UsageError naming the file where it has faults, or no rule for the collective
formats::ReadTable table_in(const std::string& file, Collective collective) {
  if (std::filesystem::is_directory(file)) {
    throw UsageError(fmt::format("'{}' is a folder; ask one of its tables: {}", file,
                                 fmt::join(files_at(file), " ")));
  }
  const std::string text = read_file(file);
  const formats::Emitter* const format = format_of(file, text);
  if (format == nullptr) {
    throw UsageError(fmt::format("{}: it looks like no form of table that is known here", file));
  }
  formats::ReadTable table = format->read(text);
  if (!table.faults.empty()) throw UsageError(formats::fault_text(file, table.faults.front()));
  if (table.collectives.contains(collective)) return table;
  std::vector<std::string_view> known;
  for (const Collective each : table.collectives) known.push_back(kCollectives.of(each));
  throw UsageError(fmt::format("{}: no rule for {}, which is left to the library; it has: {}", file,
                               kCollectives.of(collective), fmt::join(known, " ")));
}

/// Prints the choice of a file for a call, and the line that makes it.
int ask(const AskOptions& options) {
  const Case problem = problem_of(options);
  const formats::ReadTable table = table_in(options.file, problem.collective);
  const formats::Answer answer = table.answer(problem);
  const Case choice = with_variant(problem, answer.variant);
  const bool native = answer.variant.is<Native>();
  fmt::print("{}{}\n", native ? "native: the library decides" : algorithm_text(choice),
             answer.number == 0 ? "" : fmt::format(", number {}", answer.number));
  fmt::print("{}\n", formats::fault_text(options.file, {answer.line, answer.rule}));
  for (const std::string& note : answer.notes) fmt::print("  {}\n", note);
  if (const auto harms = libraries::unguarded(choice); !harms.empty()) {
    fmt::print("  {}\n", libraries::harm_of(harms));
  }
  print_advice(options.file, table);
  return 0;
}

std::shared_ptr<LintOptions> add_lint(CLI::App& app) {
  auto options = std::make_shared<LintOptions>();
  app.add_option("FILE", options->files, "table files, or folders of `breakeven tune --out`")
      ->required();
  app.add_option("--machine", options->machine,
                 "MPI library that loads them as a further test [theirs, if it is installed]")
      ->type_name("MACHINE");
  add_launcher_options(app, options->launcher);
  return options;
}

std::shared_ptr<AskOptions> add_ask(CLI::App& app) {
  auto options = std::make_shared<AskOptions>();
  Case& problem = options->problem;
  app.add_option("FILE", options->file, "table file")->required();
  add_required(app, "--collective", problem.collective,
               "collective of the call: allreduce, bcast ...");
  add_required(app, "--procs", problem.procs, "number of processes");
  add(app, "--bytes", problem.message,
      "what MPI's count argument describes: 8, 3K, 1M; required unless there is no data [none]");
  add(app, "--form", problem.form, "form of the call: blocking, nonblocking, persistent");
  add(app, "--nodes", problem.nodes, "nodes that they are on, for files that tell nodes apart [1]");
  add(app, "--comms-per-node", problem.comms_per_node,
      "communicators of this layout that call at once on these nodes");
  add(app, "--mapping", problem.mapping,
      "how ranks are placed on nodes, for files that know several");
  add(app, "--datatype", problem.datatype,
      "for files that count elements: scans in Open MPI's, reductions in MPICH's");
  return options;
}

std::function<int()> setup(CLI::App& app) {
  app.require_subcommand(1);
  CLI::App* lint = app.add_subcommand(
      "lint", "Find errors in table files, of `breakeven tune` or other authors");
  CLI::App* asking = app.add_subcommand(
      "ask", "Print the choice of a table file for a call, and the line that makes it");
  return [asking, lints = add_lint(*lint), asks = add_ask(*asking)] {
    return asking->parsed() ? ask(*asks) : lint_tables(*lints);
  };
}

}  // namespace

}  // namespace tables_command

const Command kTables{.name = "tables",
                      .summary = "Find errors in table files, or ask for their choices",
                      .examples = R"(
Exit status of lint: 0 no error; 2 otherwise, with a line FILE:LINE: REASON for each error.
Examples:
  breakeven tables lint tables
  breakeven tables lint tables/mpich_cvars.sh --machine mpich
  breakeven tables ask tables/openmpi_rules.conf --collective allreduce --procs 48 --bytes 3K
  breakeven tables ask tables/mpich_coll.json --collective bcast --procs 8 --nodes 2 --mapping rr --bytes 64)",
                      .setup = tables_command::setup};

}  // namespace breakeven::cli
