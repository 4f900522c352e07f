// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/library_launch.hpp"
#include "cli/run_plan.hpp"
#include "cli/setting_text.hpp"
#include "cli/table_in_force.hpp"
#include "cli/target.hpp"
#include "cli/trial.hpp"
#include "core/error.hpp"
#include "harness/launch/interrupt.hpp"
#include "tuner/proof_text.hpp"
#include "tuner/table_json.hpp"
#include "tuner/with_default.hpp"

namespace breakeven {

namespace {

namespace fs = std::filesystem;

constexpr int kEndedEarly = 4;
constexpr std::string_view kKept =
    "json_library";  // the table that the library's files are made from

struct Options {
  std::string folder;
  std::string procs;
  std::string bytes;
  std::string budget;
  bool rewrite = true;
  Trial trial{};
  SweepRequest request{};
};

KeptTable read_kept(const fs::path& folder) {
  const fs::path file = folder / find_emitter(kKept).file_name;
  const ReadKept read = read_kept_table(read_file(file));
  if (read.faults.empty()) return read.kept;
  const ReadTable::Fault& first = read.faults.front();
  throw UsageError(fmt::format("{}:{}: {}", file.string(), first.line, first.reason));
}

/// The request whose parts of a sweep are those that every launch of the trial has in common.
SweepRequest request_of(const Options& options, const KeptTable& kept,
                        const std::vector<Case>& problems) {
  SweepRequest request = options.request;
  request.since = std::chrono::steady_clock::now();
  if (!options.budget.empty()) request.budget = parse_duration(options.budget);
  if (request.database.empty()) {
    request.database = fs::path{options.folder} /
                       fmt::format("verify-{:%Y%m%dT%H%M%S}.db", fmt::gmtime(std::time(nullptr)));
  }
  const Case& widest = *std::ranges::max_element(problems, {}, &Case::nodes);
  request.sweep.machine = kept.provenance.machine.name;
  request.sweep.procs = {widest.procs};
  request.sweep.nodes = widest.nodes;
  request.sweep.mapping = widest.mapping;
  request.sweep.refine = false;
  request.sweep.measure.racing = false;
  return request;
}

void require_same_machine(const Machine& of_table, const Machine& here) {
  if (of_table.library_version == here.library_version) return;
  throw UsageError(fmt::format("the table is for '{}', but this is '{}'", of_table.library_version,
                               here.library_version));
}

/// Tries the table. Its launches go to the request's database.
SweepSummary measure(const SweepRequest& request, const TableInForce& table, const Target& target,
                     const Plan& plan) {
  Library tuned = target.library;
  tuned.environment.insert(tuned.environment.end(), table.environment.begin(),
                           table.environment.end());
  PlanRun run{.machine = target.machine, .offer = target.offer, .plan = plan, .asked_for = false};
  run.measure = [&](Session& session, const PlannedLaunch& launch) {
    const bool with_table = std::ranges::any_of(
        launch.cases, [](const Case& what) { return what.algorithm == kTuned; });
    LibraryLaunch{session, with_table ? tuned : target.library, target.host, launch}.run();
  };
  return run_plan(request, run);
}

std::vector<Measurement> measured(const std::string& database) {
  const Store store{database, Store::Access::read};
  std::vector<Measurement> all;
  for (const auto& [id, machine] : store.machines()) {
    const std::vector<Measurement> of_machine = store.measurements(id);
    all.insert(all.end(), of_machine.begin(), of_machine.end());
  }
  return all;
}

/// Puts native where the table doesn't hold, and writes its files anew.
void rewrite(const fs::path& folder, KeptTable kept, const TableInForce& table,
             const Proof& proof) {
  int rewritten = 0;
  kept.table = where_proven(std::move(kept.table), proof, rewritten);
  if (rewritten == 0) return;
  std::vector<std::string> files = table.files;
  files.emplace_back(find_emitter(kKept).file_name);
  for (const Emitter& emitter : emitters()) {
    if (std::ranges::find(files, emitter.file_name) == files.end()) continue;
    write_file(folder / emitter.file_name, emitter.emit(kept.table, kept.provenance).text);
  }
  fmt::print("{} rule{} did not hold and went back to the default in {}\n", rewritten,
             rewritten == 1 ? "" : "s", fmt::join(files, ", "));
}

int run(const Options& options) {
  const fs::path folder{options.folder};
  Trial trial = options.trial;
  if (!options.procs.empty())
    trial.procs = read(options.procs, std::type_identity<std::vector<int>>{});
  if (!options.bytes.empty()) {
    trial.messages = read(options.bytes, std::type_identity<std::vector<Bytes>>{});
  }
  const KeptTable kept = read_kept(folder);
  const std::vector<Case> problems = problems_of_trial(kept.table, trial);
  const SweepRequest request = request_of(options, kept, problems);
  check_patience(request);
  remember_interrupts();
  const TableInForce table =
      find_table(folder, kept.provenance.machine.name, kept.provenance.machine.library_version,
                 request.sweep.nodes > 1);
  const Target target = find_target(request);
  require_same_machine(kept.provenance.machine, target.machine);
  const SweepSummary summary =
      measure(request, table, target, plan_of_trial(problems, trial, table.beside_default));
  if (summary.over) {
    fmt::print("{}: nothing is lost, the same command with --db {} goes on\n", *summary.over,
               request.database);
    return kEndedEarly;
  }
  const Proof proof = prove(measured(request.database), [&](const Case& problem) {
    const Choice choice =
        kept.table.choose(problem.collective, problem.procs, problem.message, problem.mapping);
    return variant_text({.algorithm = choice.algorithm, .params = choice.params});
  });
  fmt::print("{}", proof_text(proof));
  write_file(folder / "verified.csv", proof_csv(proof));
  if (options.rewrite) rewrite(folder, kept, table, proof);
  const bool sound = proof.better() && !proof.any_fails() && summary.failed == 0;
  return sound ? 0 : 1;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--tables", options->folder, "folder of `breakeven tune --out`")->required();
  app.add_option("--db", options->request.database,
                 "database of the trial; default: a new one in the folder");
  app.add_option("--procs", options->procs,
                 "process counts, as \"2,3,4\"; default: the table's, some between and one beyond");
  app.add_option("--bytes", options->bytes,
                 "message sizes, as \"8:1M\"; default: between those that sweeps measure");
  app.add_option("--launches", options->trial.launches, "of each process count")
      ->capture_default_str();
  app.add_option("--case-budget-s", options->request.sweep.measure.case_budget.value,
                 "seconds for a cell's samples in a launch, each way")
      ->capture_default_str();
  app.add_option("--budget", options->budget, "time for all of it, as \"30min\"");
  app.add_option("--seed", options->trial.seed, "of the orders")->capture_default_str();
  app.add_flag("!--keep,--rewrite", options->rewrite,
               "leave rules that do not hold as they are; default: back to the library's default");
  add_launcher_options(app, options->request.launcher);
  return [options] { return run(*options); };
}

}  // namespace

const Command verify_command{
    .name = "verify",
    .summary = "Prove a table: default against tuned, measured anew, with one verdict",
    .examples = R"(
Measures the library as it comes and with the table in force, in turns, at sizes and process counts
that the sweep did not have, in launches of its own. Rules that do not hold go back to the default.
Examples:
  breakeven verify --tables tables
  breakeven verify --tables tables --procs 4,8 --bytes 12:3M --launches 5
Exit status: 0 when the table is better beyond doubt and no cell is slower by more than 3 % beyond
doubt; 1 otherwise; 4 when it ended before all was measured.)",
    .setup = setup};

}  // namespace breakeven
