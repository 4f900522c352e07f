// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/job.hpp"
#include "harness/session/program.hpp"
#include "harness/session/trial.hpp"
#include "tuner/verify/tried_table.hpp"
#include "tuner/verify/verification_files.hpp"
#include "tuner/verify/verification_text.hpp"

namespace breakeven::cli::verify_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string tables;
  bool rewrite = true;
  verify::Trial trial{.counts = plan::Sweep{}.counts};
  std::vector<std::string> program;
  session::SweepRequest request{};
};

/// The tables to prove. A table that changes nothing is skipped where there are others.
std::vector<verify::TriedTable> tables_of(const Options& options, const verify::Trial& trial) {
  std::vector<verify::TriedTable> tables = verify::find_tried_tables(options.tables, trial);
  const auto idle =
      std::ranges::stable_partition(tables, std::not_fn(&verify::TriedTable::changes_nothing));
  const auto passed_over = std::max(idle.begin(), std::next(tables.begin()));
  for (const verify::TriedTable& table : std::ranges::subrange{passed_over, tables.end()}) {
    fmt::print("{} keeps the default everywhere: nothing to verify\n", table.name());
  }
  tables.erase(passed_over, tables.end());
  return tables;
}

std::vector<verify::TriedProblem> all_problems(const std::vector<verify::TriedTable>& tables) {
  std::vector<verify::TriedProblem> all;
  for (const verify::TriedTable& table : tables) {
    all.insert(all.end(), table.problems.begin(), table.problems.end());
  }
  return all;
}

/// The request, with the settings that all launches of the trial have in common.
session::SweepRequest request_of(const Options& options, const Machine& machine,
                                 const std::vector<verify::TriedProblem>& problems) {
  session::SweepRequest request = options.request;
  request.since = std::chrono::steady_clock::now();
  if (request.database.empty()) request.database = verify::new_verification(options.tables);
  NodeLayout widest;
  for (const verify::TriedProblem& each : problems) {
    const NodeLayout job = job_of(each.problem);
    if (std::pair{job.nodes, job.procs} > std::pair{widest.nodes, widest.procs}) widest = job;
  }
  request.sweep.machine = machine.name;
  request.sweep.procs = {widest.procs};
  request.sweep.nodes = widest.nodes;
  request.sweep.mapping = widest.mapping;
  request.sweep.refine = false;
  request.sweep.measure.racing = false;
  return request;
}

/// Replaces rules that fail by the default, and prints them.
void rewrite(const std::vector<verify::TriedTable>& tables,
             const std::vector<verify::Verification>& verifications, const fs::path& database) {
  const auto lines =
      verify::write_where_verified(tables, verifications, verify::trial_text(database));
  if (lines.empty()) return;
  fmt::print(
      "{} rule{} did not hold and went back to the default in every file that had {}:\n  {}\n",
      lines.size(), lines.size() == 1 ? "" : "s", lines.size() == 1 ? "it" : "them",
      fmt::join(lines, "\n  "));
}

/// Compares run times of the user's own program instead of single problems.
int run_with_program(const Options& options) {
  const int pairs = options.trial.launches;
  constexpr int kLeastPairs = 6;  // the range of fewer covers the median with less than 95 %
  if (pairs < kLeastPairs) {
    throw UsageError(fmt::format(
        "--launches {} can't decide about a program: {} pairs of runs do at least, if all agree",
        pairs, kLeastPairs));
  }
  const session::ProgramTables tables = session::read_program_tables(options.tables);
  const session::Program program{.command = options.program, .mpi = tables.mpi()};
  const std::string obstacle = session::obstacle_to(program, &tables);
  if (!obstacle.empty()) throw UsageError(obstacle + "; nothing is measured");
  const auto [speedup, without_rules] = session::speedup_of_program(
      program, tables, pairs,
      [&](int run) { fmt::print(stderr, "run {} of {}\n", run + 1, 2 * pairs); });
  fmt::print(
      "The program is {:.3f} ({:.3f}-{:.3f}) times as fast with the tables: {}.\n"
      "Median and {:.1f} % interval of {} pairs of runs, from MPI_Init to MPI_Finalize.\n",
      speedup.median, speedup.low, speedup.high, verify::decision_text(speedup, "pairs of runs"),
      100 * speedup.coverage, speedup.count);
  if (!without_rules.empty()) fmt::print("{}\n", without_rules);
  return speedup.low > 1 ? 0 : 1;
}

/// Prints each table's verdict, puts the default where rules fail, and stores the verification.
/// @return whether all tables hold
bool judge(const Options& options, const std::vector<verify::TriedTable>& tables,
           const std::vector<Measurement>& measurements, const std::string& database,
           bool measured) {
  bool sound = true;
  std::vector<verify::Verification> verifications;
  std::map<std::string, verify::Verification> by_name;
  for (const verify::TriedTable& table : tables) {
    const verify::Verification verification = verify::verify_table(measurements, table.problems);
    fmt::print("{}\n{}", table.name(), verify::verification_text(verification));
    sound = sound && verification.better() && !verification.any_fails();
    verifications.push_back(verification);
    by_name.emplace(table.name(), verification);
  }
  if (options.rewrite) rewrite(tables, verifications, database);
  if (measured) write_file(verify::verification_file(database), verify::verification_csv(by_name));
  return sound;
}

int run(const Options& options) {
  if (!options.program.empty()) return run_with_program(options);
  if (options.trial.launches < 2) {
    throw UsageError(
        fmt::format("--launches {} can't decide: 2 do at least, whose difference tells the noise",
                    options.trial.launches));
  }
  const verify::Trial& trial = options.trial;
  const std::vector<verify::TriedTable> tables = tables_of(options, trial);
  const std::vector<verify::TriedProblem> problems = all_problems(tables);
  const Machine& machine = tables.front().kept.provenance.machine;
  const session::SweepRequest request = request_of(options, machine, problems);
  session::check_patience(request);
  plan::check_measure(request.sweep.measure);
  launch::remember_interrupts();
  const plan::SweepPlan plan =
      session::plan_of_trial(problems, trial, tables.front().beside_default);
  bool sound = true;
  std::vector<Measurement> measurements;
  if (!plan.launches.empty()) {
    Progress progress{0};
    const session::SweepSummary summary =
        session::run_trial(request, plan, machine, tables.front().environment, progress);
    progress.clear();
    if (summary.over) {
      fmt::print(
          "{} No verdict yet: no file was changed. Run the same command with --db {} to "
          "continue.\n",
          *summary.over, request.database);
      return kEndedEarly;
    }
    sound = summary.failed == 0;
    measurements = session::measured_in(request.database);
  }
  sound = judge(options, tables, measurements, request.database, !plan.launches.empty()) && sound;
  return sound ? 0 : 1;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  session::SweepRequest& request = options->request;
  add_file(app, "--tables", options->tables,
           "tables to verify: a folder of `breakeven tune --out`, or one of its files, either a "
           "C++ header or a file that the MPI library loads")
      ->required();
  add_file(app, "--db", request.database,
           "database for the measurements [a new one next to the table]");
  add(app, "--procs", options->trial.procs,
      "process counts to test: 2,3,4 [the table's; on one node also some between and one beyond]");
  add(app, "--bytes", options->trial.messages,
      "message sizes to test: 8:1M [between powers of two]");
  add(app, "--launches", options->trial.launches,
      "launches with and without the table, at each process count, at least 2; of a program, pairs "
      "of runs, at least 6");
  add(app, "--case-budget-s", request.sweep.measure.case_budget,
      "seconds in a launch for the samples of a case: a problem has one with and one without the "
      "table");
  add_duration(app, "--budget", request.budget,
               "time for the whole run: 30min; the same command with --db continues [none]");
  app.add_flag(
      "!--keep,--rewrite", options->rewrite,
      "treatment of rules that fail: --rewrite replaces them by the library's default, --keep "
      "only reports them [--rewrite]");
  app.add_flag("--strict", request.strict,
               "refuse to measure where the MPI library's settings differ from the table's, "
               "instead of warning");
  add_launcher_options(app, request.launcher);
  add(app, "--seed", options->trial.seed, "seed of the random order in which problems are measured")
      ->group(kRare);
  app.add_option(
      "COMMAND", options->program,
      "after --: a program's command, mpiexec.mpich -n 4 ./program ...; compares its run times "
      "with and without the tables, not single problems");
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::verify_command

const breakeven::cli::Command breakeven::cli::kVerify{
    .name = "verify",
    .summary = "Measure the library's default against a table, with a verdict",
    .examples = R"(
Measures the library with and without the table, in turns, in new launches, at sizes between powers
of two and, on one node, also at process counts that the table does not have. The MPI library loads
its own file. For a C++ header, the algorithms that the header chooses are measured; where the
header chooses native, nothing is measured.
Rules that fail are replaced by the library's default.
A folder with a library's file and a C++ header gets a verdict for each, from the same launches. A
table that keeps the default everywhere is skipped if another table does not.
Examples:
  breakeven verify --tables tables
  breakeven verify --tables tables/breakeven_table.hpp
  breakeven verify --tables tables --launches 7 -- mpiexec.mpich -n 4 ./program input
  breakeven verify --tables tables --procs 4,8 --bytes 12:3M --launches 5
Exit status: 0 if each table is significantly faster overall and nowhere significantly slower by more
than 3 %, or if the program is significantly faster; 1 otherwise; 4 if it ended before everything was
measured.)",
    .setup = verify_command::setup};
