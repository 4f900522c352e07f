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

#include "cli/command.hpp"
#include "cli/database.hpp"
#include "cli/machine_options.hpp"
#include "cli/plot_curves.hpp"
#include "cli/profile.hpp"
#include "cli/script.hpp"
#include "cli/setting_text.hpp"
#include "core/case.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"
#include "guidelines/report.hpp"
#include "report/plots.hpp"

namespace breakeven::cli::plot_command {

namespace {

struct Plot {
  std::string_view name;
  std::string_view script;  // under scripts/
};
constexpr std::array kPlots{
    Plot{"fastest", "plots/maps.py"},          Plot{"ratio", "plots/maps.py"},
    Plot{"curves", "plots/curves.py"},         Plot{"spread", "plots/spread.py"},
    Plot{"profile", "plots/profile_gains.py"}, Plot{"guidelines", "plots/guideline_times.py"},
    Plot{"prediction", "plots/prediction.py"}};

struct Options {
  DatabaseOptions database;
  std::string plot;
  std::string collective;
  std::string counts{kCounts.of(Counts::equal)};
  std::string profile;
  std::string procs;
  std::string bytes;
  std::string algorithms;
  CurveOptions curves;
  std::string model;
  std::string out;
};

/// Which cases were asked for.
class Wanted {
 public:
  explicit Wanted(const Options& options) : collective_{options.collective} {
    if (!collective_.empty()) static_cast<void>(kCollectives.parse(collective_));
    counts_ = kCounts.parse(options.counts);
    if (!options.algorithms.empty()) {
      algorithms_ = read(options.algorithms, std::type_identity<std::vector<std::string>>{});
    }
    if (!options.procs.empty())
      procs_ = read(options.procs, std::type_identity<std::vector<int>>{});
    if (!options.bytes.empty())
      bytes_ = read(options.bytes, std::type_identity<std::vector<Bytes>>{});
  }

  [[nodiscard]] Counts counts() const { return counts_; }
  [[nodiscard]] bool operator()(const Case& what) const {
    return what.counts == counts_ &&
           (collective_.empty() || collective_ == kCollectives.of(what.collective)) &&
           (algorithms_.empty() ||
            std::ranges::find(algorithms_, what.variant.algorithm()) != algorithms_.end()) &&
           (procs_.empty() || std::ranges::find(procs_, what.procs) != procs_.end()) &&
           (bytes_.empty() || std::ranges::find(bytes_, what.message) != bytes_.end());
  }

 private:
  std::string collective_;
  Counts counts_ = Counts::equal;
  std::vector<int> procs_{};
  std::vector<Bytes> bytes_{};
  std::vector<std::string> algorithms_{};
};

/// The measurements that were asked for.
/// @throws UsageError when there are none
std::vector<Measurement> asked(const Options& options, const Wanted& wanted,
                               const Selection& from) {
  std::set<std::string_view> collectives;
  std::vector<Measurement> found;
  for (const Measurement& each : from.store.measurements(from.id)) {
    if (each.what.counts == wanted.counts())
      collectives.insert(kCollectives.of(each.what.collective));
    if (wanted(each.what)) found.push_back(each);
  }
  if (!found.empty()) return found;
  std::string what = options.collective.empty() ? "any collective" : options.collective;
  if (wanted.counts() != Counts::equal) what += fmt::format(" with {} counts", options.counts);
  if (!options.algorithms.empty()) what += fmt::format(" by {}", options.algorithms);
  if (!options.procs.empty()) what += fmt::format(" at p = {}", options.procs);
  if (!options.bytes.empty()) what += fmt::format(" of {}", options.bytes);
  throw UsageError(
      fmt::format("no measurements of {} on {}; there are: {}", what, from.machine.name,
                  collectives.empty() ? "none" : fmt::format("{}", fmt::join(collectives, " "))));
}

/// The profile that the plot is of, if it is of one.
/// @throws UsageError when there is none, or when it was taken of calls by a table
std::optional<tables::Profile> asked_profile(const Options& options) {
  if (options.plot != "profile") return std::nullopt;
  if (options.profile.empty()) throw UsageError("plot profile: --profile FILE is missing");
  tables::Profile profile = profile_in(options.profile);
  for (const auto& [use, amount] : profile.uses) {
    if (use.algorithm == kNative) continue;
    throw UsageError(
        fmt::format("{}: calls ran by a table, as {} by {}; take the profile without one: "
                    "`breakeven profile`",
                    options.profile, kCollectives.of(use.collective), use.algorithm));
  }
  return profile;
}

/// What the script draws, as JSON.
std::string input_of(const Options& options, const Selection& from) {
  const std::optional<tables::Profile> profile = asked_profile(options);
  const ProgramTime time = profile ? tables::program_time(*profile) : ProgramTime{};
  const Wanted wanted{options};
  const std::vector<Measurement> measurements = asked(options, wanted, from);
  if (options.plot == "guidelines") {
    const guidelines::ReportHead head{.machine = from.machine, .database = options.database.file};
    return guidelines::report_json(guidelines::evaluate(measurements), head);
  }
  if (options.plot == "prediction") {
    if (options.model.empty()) throw UsageError("plot prediction: --model MODEL is missing");
    return tuner::agreement_json(agreements_of(options.model, from, measurements), from.machine,
                                 options.model);
  }
  if (options.plot == "curves") return curves_input(options.curves, from.machine, measurements);
  if (options.plot == "spread") return spread_input(options.curves, from, wanted);
  const std::vector<tuner::Decision> decisions = tuner::decide(measurements, {}, time);
  if (profile) return report::program_json(from.machine, decisions, *profile);
  if (options.plot == "fastest") return report::fastest_map_json(from.machine, decisions);
  return report::ratio_map_json(from.machine, decisions, options.curves.baseline);
}

int run(const Options& options) {
  const auto plot = std::ranges::find(kPlots, options.plot, &Plot::name);
  if (plot == kPlots.end()) {
    std::vector<std::string_view> known;
    for (const Plot& each : kPlots) known.push_back(each.name);
    throw UsageError(unknown("plot", options.plot, known));
  }
  const Selection from = select_machine(options.database);
  run_script(plot->script, {"--out", options.out}, input_of(options, from));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option(
         "PLOT", options->plot,
         "fastest: what a table chooses at each size and process count; ratio: native's "
         "time, or the baseline's, divided by the fastest algorithm's; curves: times of all "
         "candidates; "
         "spread: their samples as boxes; profile: which calls of a program take its time, and "
         "what a table saves of it; guidelines: what mock-ups and the library's own algorithms "
         "take, relative to its default; prediction: what a model predicts beside what was "
         "measured")
      ->required();
  add_database_options(app, options->database);
  app.add_option("--collective", options->collective, "only this one [all that were measured]");
  app.add_option("--counts", options->counts, "block sizes of irregular collectives [equal]");
  app.add_option("--procs", options->procs, "only these process counts: 2,3,4 or 2:8");
  app.add_option("--bytes", options->bytes, "only these message sizes: 8,1K or 8:1M");
  app.add_option("--algorithms", options->algorithms, "only these, with any parameters");
  add_curve_options(app, options->curves);
  app.add_option("--profile", options->profile, "file of `breakeven profile`, of plot profile");
  app.add_option("--model", options->model, "model or machine file, of plot prediction");
  app.add_option("--out", options->out, "picture: .png, .svg or .pdf")->required();
  return [options] { return run(*options); };
}

}  // namespace

const Command command{
    .name = "plot",
    .summary = "Plot the fastest algorithms, times, speedups, guidelines or predictions",
    .examples = R"(
Examples:
  breakeven plot fastest --db results.db --out fastest.png
  breakeven plot ratio --db results.db --machine openmpi --collective allreduce --out ratio.svg
  breakeven plot curves --db results.db --collective allreduce --procs 64 --out times.png
  breakeven plot curves --db results.db --by procs --show bandwidth --bytes 32K --out bandwidth.png
  breakeven plot curves --db results.db --by procs_per_node --show speedup --baseline ring \
      --baseline-mapping seq --out mapping.png
  breakeven plot spread --db results.db --collective allreduce --bytes 8 --out spread.png
  breakeven plot guidelines --db results.db --collective reduce_scatter_block --out guidelines.png
  breakeven plot prediction --db results.db --model cluster.toml --out prediction.png
  breakeven plot profile --db results.db --profile profile.json --out profile.png)",
    .setup = setup};

}  // namespace breakeven::cli::plot_command
