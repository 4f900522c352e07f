// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "cli/agreements.hpp"
#include "cli/command.hpp"
#include "cli/database.hpp"
#include "cli/profile.hpp"
#include "cli/script.hpp"
#include "core/case.hpp"
#include "core/error.hpp"
#include "guidelines/report.hpp"
#include "tuner/cells.hpp"

namespace breakeven::cli::plot_command {

namespace {

struct Plot {
  std::string_view name;
  std::string_view script;  // under scripts/
};
constexpr std::array kPlots{
    Plot{"fastest", "plots/fastest_map.py"}, Plot{"ratio", "plots/ratio_map.py"},
    Plot{"profile", "plots/profile_gains.py"}, Plot{"guidelines", "plots/guideline_times.py"},
    Plot{"prediction", "plots/prediction.py"}};

struct Options {
  DatabaseOptions database;
  std::string plot;
  std::string collective;
  std::string counts{kCounts.of(Counts::equal)};
  std::string profile;
  std::string model;
  std::string out;
};

/// Those of the collective, if one was asked for, with the counts.
/// @throws UsageError when there are none
std::vector<Measurement> asked(const Options& options, Counts counts, const Selection& from) {
  std::set<std::string_view> collectives;
  std::vector<Measurement> found;
  for (const Measurement& each : from.store.measurements(from.id)) {
    if (each.what.counts != counts) continue;
    const std::string_view collective = kCollectives.of(each.what.collective);
    collectives.insert(collective);
    if (options.collective.empty() || options.collective == collective) found.push_back(each);
  }
  if (!found.empty()) return found;
  const std::string of_counts =
      counts == Counts::equal ? "" : fmt::format(" with {} counts", options.counts);
  throw UsageError(
      fmt::format("no measurements of {}{} on {}; there are: {}",
                  options.collective.empty() ? "any collective" : options.collective, of_counts,
                  from.machine.name,
                  collectives.empty() ? "none" : fmt::format("{}", fmt::join(collectives, " "))));
}

/// The profile that the plot is of, if it is of one.
/// @throws UsageError when there is none, or when it was taken of calls by a table
std::optional<tuner::Profile> asked_profile(const Options& options) {
  if (options.plot != "profile") return std::nullopt;
  if (options.profile.empty()) throw UsageError("plot profile: --profile FILE is missing");
  tuner::Profile profile = profile_in(options.profile);
  for (const auto& [use, amount] : profile.uses) {
    if (use.algorithm == kNative) continue;
    throw UsageError(
        fmt::format("{}: calls ran by a table, as {} by {}; take the profile without one: "
                    "`breakeven profile`",
                    options.profile, kCollectives.of(use.collective), use.algorithm));
  }
  return profile;
}

int run(const Options& options) {
  const auto plot = std::ranges::find(kPlots, options.plot, &Plot::name);
  if (plot == kPlots.end()) {
    throw UsageError(fmt::format("no plot '{}'; known: fastest ratio profile guidelines prediction",
                                 options.plot));
  }
  if (!options.collective.empty()) static_cast<void>(kCollectives.parse(options.collective));
  const Counts counts = kCounts.parse(options.counts);
  const std::optional<tuner::Profile> profile = asked_profile(options);
  const ProgramTime time = profile ? tuner::program_time(*profile) : ProgramTime{};
  const Selection from = select_machine(options.database);
  const std::vector<Measurement> measurements = asked(options, counts, from);
  if (options.plot == "prediction") {
    if (options.model.empty()) throw UsageError("plot prediction: --model MODEL is missing");
    run_script(plot->script, {"--out", options.out},
               tuner::agreement_json(agreements_of(options.model, from, measurements), from.machine,
                                     options.model));
    return 0;
  }
  if (options.plot == "guidelines") {
    const guidelines::ReportHead head{.machine = from.machine, .database = options.database.file};
    run_script(plot->script, {"--out", options.out},
               guidelines::report_json(guidelines::evaluate(measurements), head));
    return 0;
  }
  run_script(plot->script, {"--out", options.out},
             tuner::cells_json(from.machine, tuner::decide(measurements, {}, time),
                               profile ? &*profile : nullptr));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option(
         "PLOT", options->plot,
         "fastest: what a table chooses at each size and process count; ratio: native's "
         "time divided by the fastest algorithm's; profile: which calls of a program take its "
         "time, and what a table saves of it; guidelines: what mock-ups and the library's own "
         "algorithms take, relative to its default; prediction: what a model predicts beside what "
         "was measured")
      ->required();
  add_database_options(app, options->database);
  app.add_option("--collective", options->collective, "only this one [all that were measured]");
  app.add_option("--counts", options->counts, "block sizes of irregular collectives [equal]");
  app.add_option("--profile", options->profile, "file of `breakeven profile`, of plot profile");
  app.add_option("--model", options->model, "model or machine file, of plot prediction");
  app.add_option("--out", options->out, "picture: .png, .svg or .pdf")->required();
  return [options] { return run(*options); };
}

}  // namespace

const Command command{
    .name = "plot",
    .summary =
        "Plot the fastest algorithms, speedups, what a program gains, guidelines, predictions",
    .examples = R"(
Examples:
  breakeven plot fastest --db results.db --out fastest.png
  breakeven plot ratio --db results.db --machine openmpi --collective allreduce --out ratio.svg
  breakeven plot guidelines --db results.db --collective reduce_scatter_block --out guidelines.png
  breakeven plot prediction --db results.db --model cluster.toml --out prediction.png
  breakeven plot profile --db results.db --profile profile.json --out profile.png)",
    .setup = setup};

}  // namespace breakeven::cli::plot_command
