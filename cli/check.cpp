// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/database.hpp"
#include "core/error.hpp"
#include "guidelines/catalogue.hpp"
#include "guidelines/evaluate.hpp"
#include "guidelines/report.hpp"
#include "tuner/equal_names.hpp"

namespace breakeven::cli::check_command {

namespace {

struct Options {
  DatabaseOptions database;
  std::vector<std::string> guidelines;
  std::string implementation;
  double tolerance = guidelines::EvaluateOptions{}.tolerance;
  std::string format = "text";
  std::size_t rows = 10;
};

int run(const Options& options) {
  if (options.format != "text" && options.format != "json") {
    throw UsageError(fmt::format("no format '{}'; known: text json", options.format));
  }
  if (!(options.tolerance >= 0)) {
    throw UsageError(fmt::format("tolerance {} asked for; 0 or more", options.tolerance));
  }
  guidelines::EvaluateOptions evaluation{.tolerance = options.tolerance};
  if (!options.guidelines.empty()) {
    evaluation.guidelines.clear();
    for (const std::string& name : options.guidelines) {
      evaluation.guidelines.push_back(&guidelines::find_guideline(name));
    }
  }
  const Selection from = select_machine(options.database);
  const bool model = from.machine.kind == MachineKind::model;
  evaluation.implementation = !options.implementation.empty()
                                  ? options.implementation
                                  : std::string{model ? guidelines::kBest : kNative};
  const guidelines::Evaluation result = guidelines::evaluate(
      tuner::as_of(evaluation.implementation, from.store.measurements(from.id)), evaluation);
  fmt::print("{}", options.format == "json"
                       ? guidelines::report_json(result, from.machine)
                       : guidelines::report_text(result, from.machine, options.rows));
  const int status = guidelines::exit_status(result);
  if (status == 2) throw UsageError("too few data: a guideline could not be tested anywhere");
  return status;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_database_options(app, options->database);
  app.add_option("--guidelines", options->guidelines,
                 "their numbers (of the source: 2, 3, 4, 5) or names [all]")
      ->delimiter(',');
  app.add_option("--implementation", options->implementation,
                 "native (the library's own), best (the fastest candidate of each problem), or an "
                 "algorithm [native; best on a model]");
  app.add_option("--tolerance", options->tolerance,
                 "the left side may be slower by this fraction without a violation [0.05]");
  app.add_option("--format", options->format, "text or json [text]");
  app.add_option("--rows", options->rows, "rows to show of each guideline, the worst first [10]");
  return [options] { return run(*options); };
}

}  // namespace

const Command command{.name = "check",
                      .summary = "Test performance guidelines on measured data",
                      .examples = R"(
A guideline says that one collective is not slower than others that do the same work.
Exit status: 0 no violation; 1 at least one; 2 bad input or too few data.
Examples:
  breakeven check --db results.db
  breakeven check --db results.db --guidelines 2,4 --implementation best
  breakeven check --db results.db --format json > guidelines.json)",
                      .setup = setup};

}  // namespace breakeven::cli::check_command
