// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <utility>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "core/error.hpp"
#include "guidelines/catalogue.hpp"
#include "guidelines/evaluate.hpp"
#include "guidelines/report.hpp"
#include "harness/session/trial.hpp"

namespace breakeven::cli::check_command {

namespace {

struct Options {
  DatabaseOptions database;
  std::vector<std::string> guidelines;
  double tolerance = guidelines::EvaluateOptions{}.tolerance;
  std::string format = "text";
  std::string baseline;
  std::string waivers;
  std::optional<Seconds> decide;  ///< time for it
  bool all = false;
  bool fail_on_undecided = false;
  launch::LauncherOptions launcher;
};

guidelines::EvaluateOptions evaluate_options(const Options& options) {
  if (!(options.tolerance >= 0)) {
    throw UsageError(fmt::format("tolerance {} asked for; 0 or more", options.tolerance));
  }
  guidelines::EvaluateOptions evaluation{.tolerance = options.tolerance,
                                         .fail_on_undecided = options.fail_on_undecided};
  for (const std::string& word : options.guidelines) {
    std::ranges::copy(guidelines::find_guidelines(word), std::back_inserter(evaluation.guidelines));
  }
  return evaluation;
}

guidelines::Evaluation judged(const Record& record, guidelines::EvaluateOptions judging) {
  judging.launches = record.launches;
  return guidelines::evaluate(record.measurements, judging);
}

/// Measures violations again, to confirm them, then undecided comparisons, until none are left or
/// the time is over.
guidelines::Evaluation decide(const Options& options, const Record& record,
                              const guidelines::EvaluateOptions& judging,
                              guidelines::Evaluation evaluation) {
  using guidelines::Verdict;
  Progress progress{0};
  std::set<Case> open = cases_with(evaluation, Verdict::violated);
  if (open.empty()) open = cases_with(evaluation, Verdict::undecided);
  const auto judge_again = [&] {
    evaluation = judged(record_of(options.database), judging);
    return cases_with(evaluation, Verdict::undecided);
  };
  session::measure_until_none(
      {.database = options.database.file, .launcher = options.launcher, .budget = *options.decide},
      record.id, std::move(open), judge_again, progress);
  return evaluation;
}

std::chrono::year_month_day today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

int run(const Options& options) {
  guidelines::EvaluateOptions judging = evaluate_options(options);
  std::vector<guidelines::Waiver> waivers;
  if (!options.waivers.empty()) waivers = guidelines::read_waivers(options.waivers);
  const Record now = record_of(options.database);
  const Machine& machine = now.machine;
  Record before;
  if (!options.baseline.empty()) {
    before = record_like(machine, options.baseline);
    judging.baseline = {.measurements = before.measurements, .launches = before.launches};
  }
  if (options.decide && machine.kind == MachineKind::model) {
    throw UsageError("--decide measures a library; this is a model");
  }
  guidelines::Evaluation evaluation = judged(now, judging);
  if (options.decide) evaluation = decide(options, now, judging, std::move(evaluation));
  for (const std::string& each : guidelines::waive(evaluation, waivers, today()))
    fmt::print(stderr, "{}\n", each);
  if (!options.baseline.empty()) {
    for (const std::string& each :
         guidelines::differences(machine, now.launches, before.machine, before.launches)) {
      evaluation.remarks.push_back(fmt::format("differs from the baseline: {}", each));
    }
  }
  const auto format = std::ranges::find(guidelines::report_formats(), options.format,
                                        &guidelines::ReportFormat::name);
  fmt::print("{}", format->write(evaluation, {machine, options.database.file, options.all}));
  const int status = guidelines::exit_status(evaluation);
  if (status == 2) {
    const auto undecided = std::ranges::find_if(
        evaluation.findings, [](const auto& each) { return !each.cause.empty() && !each.aside; });
    throw UsageError(undecided == evaluation.findings.end()
                         ? "too few data: no guideline could be decided anywhere"
                         : "not compared with the baseline: " + undecided->cause);
  }
  return status;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  app.add_option(
         "--guidelines", options->guidelines,
         "guidelines, families of guidelines, or collectives: mock_ups,own_algorithms,overlap,"
         "monotony_in_size,split_robustness,monotony_in_procs [all]")
      ->delimiter(',')
      ->type_name("NAME");
  add(app, "--tolerance", options->tolerance,
      "fraction by which the left side, the library's collective, may be slower than the right "
      "side");
  add_duration(app, "--decide", options->decide,
               "time in which to confirm violations and to decide what is undecided, in new "
               "launches: 10min [none]");
  add_file(app, "--baseline", options->baseline,
           "an earlier database: violations in it count as known, and a collective that became "
           "slower is a violation");
  add_file(app, "--waivers", options->waivers,
           "a file of violations that are accepted for a time: guideline, reason, expires");
  std::vector<std::string_view> formats;
  for (const guidelines::ReportFormat& each : guidelines::report_formats())
    formats.push_back(each.name);
  add_choice(app, "--format", options->format, formats, "form of the report");
  app.add_flag("--all", options->all,
               "list every comparison in the text, not only the worst violations");
  app.add_flag("--fail-on-undecided", options->fail_on_undecided,
               "exit status 1 also where a comparison stays undecided and is not waived");
  add_launcher_options(app, options->launcher);
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::check_command

const breakeven::cli::Command breakeven::cli::kCheck{
    .name = "check",
    .summary = "Test performance guidelines on measured data",
    .examples = R"(
A guideline says that a collective of the library is not slower than another way to do its work:
other collectives of the library (mock-ups, measured by `sweep --algorithms native,mock_ups`), one of
the library's own algorithms, more data, the data in parts, more processes.
Exit status: 0 no violation, or only known and waived ones; 1 at least one violation that is new or
worse, and not waived, or with --fail-on-undecided an undecided comparison that is not waived; 2 bad
input or too few data. Comparisons with more processes than cores don't change the exit status.
Examples:
  breakeven sweep --algorithms native,mock_ups,library --procs 4 --db results.db
  breakeven check --db results.db --decide 10min
  breakeven check --db results.db --guidelines allreduce,monotony_in_size --format markdown
  breakeven check --db today.db --baseline yesterday.db --waivers waivers.toml --format junit)",
    .setup = check_command::setup};
