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
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "core/case.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"
#include "guidelines/report.hpp"
#include "harness/plan/algorithm_text.hpp"
#include "harness/session/outlook.hpp"
#include "harness/session/profile_sweep.hpp"
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

/// Whether a name, as a sweep takes it or a table prints it, means the case's algorithm: without
/// parameters, under any.
bool is_meant(std::string_view name, const Case& what) {
  const plan::AlgorithmWord word{name};
  return name == what.variant.algorithm() || name == algorithm_text(what) ||
         (word.means(what.collective, what.variant) &&
          (word.params.empty() || word.params == what.variant.params()));
}

struct Options {
  DatabaseOptions database;
  std::string plot;
  std::optional<Collective> collective;
  Counts counts = Counts::equal;
  CallForm form = CallForm::blocking;
  std::string profile;
  std::vector<int> procs;
  std::vector<Bytes> bytes;
  std::vector<std::string> algorithms;
  report::CurveRequest curves{};
  std::vector<int> blocks;
  std::string model;
  std::string out;

  /// Whether the case was asked for.
  [[nodiscard]] bool wants(const Case& what) const {
    const auto means = [&](const std::string& name) { return is_meant(name, what); };
    return is_among(what) && (algorithms.empty() || std::ranges::any_of(algorithms, means));
  }
  /// The same by any algorithm.
  [[nodiscard]] bool is_among(const Case& what) const {
    const auto among = [](const auto& asked, const auto& value) {
      return asked.empty() || std::ranges::find(asked, value) != asked.end();
    };
    return what.counts == counts && what.form == form &&
           (!collective || *collective == what.collective) && among(procs, what.procs) &&
           among(bytes, what.message);
  }
};

/// @throws UsageError when an algorithm that was asked for was not measured where others were
void require_each(const Options& options, std::span<const Measurement> measurements) {
  if (options.algorithms.empty()) return;
  std::set<Case> cases;
  std::set<std::string> measured;
  for (const Measurement& each : measurements) {
    if (!options.is_among(each.what)) continue;
    cases.insert(each.what);
    measured.insert(each.what.variant.algorithm());
  }
  for (const std::string& name : options.algorithms) {
    const auto has_name = [&](const Case& what) { return is_meant(name, what); };
    if (!cases.empty() && std::ranges::none_of(cases, has_name))
      throw UsageError(unknown("measured algorithm", name, {measured.begin(), measured.end()}));
  }
}

/// The measurements that were asked for.
/// @throws UsageError when there are none
std::vector<Measurement> asked(const Options& options, const Selection& from) {
  std::set<std::string_view> collectives;
  std::vector<Measurement> found;
  const std::vector<Measurement> all = from.store.measurements(from.id);
  for (const Measurement& each : all) {
    if (each.what.counts == options.counts && each.what.form == options.form)
      collectives.insert(kCollectives.of(each.what.collective));
    if (options.wants(each.what)) found.push_back(each);
  }
  require_each(options, all);
  if (!found.empty()) return found;
  std::string what = options.collective ? written(*options.collective) : "any collective";
  if (options.counts != Counts::equal)
    what += fmt::format(" with {} counts", written(options.counts));
  what += form_suffix(options.form);
  if (!options.algorithms.empty()) what += fmt::format(" by {}", written(options.algorithms));
  if (!options.procs.empty()) what += fmt::format(" at p = {}", written(options.procs));
  if (!options.bytes.empty()) what += fmt::format(" of {}", written(options.bytes));
  throw UsageError(
      fmt::format("no measurements of {} on {}; there are: {}", what, from.machine.name,
                  collectives.empty() ? "none" : fmt::format("{}", fmt::join(collectives, " "))));
}

/// The measurements behind maps: of blocking calls, and in plot fastest of nonblocking ones, those
/// that a table may choose; else all.
/// @throws UsageError when no table has calls of that form
std::vector<Measurement> compared(const Options& options, std::vector<Measurement> measurements) {
  if (options.form != CallForm::blocking && options.plot != "fastest") return measurements;
  if (options.form == CallForm::persistent) {
    throw UsageError(
        "plot fastest: --form persistent asked for; libraries give persistent calls the algorithms "
        "of nonblocking ones, so that a table has those");
  }
  const bool blocking = options.form == CallForm::blocking;
  measurements = tuner::choosable(measurements,
                                  blocking ? tables::Candidates::all : tables::Candidates::library);
  if (measurements.empty()) throw UsageError("nothing was measured that a table may choose");
  return measurements;
}

/// The baseline of plot ratio as its map names it; one of a collective leaves that one's
/// measurements.
/// @throws UsageError where it names several algorithms
std::string baseline_of(const std::string& name, std::vector<Measurement>& measurements) {
  const plan::AlgorithmWord word{name};
  if (word.is_group())
    throw UsageError(fmt::format("--baseline {} asked for; one algorithm is possible", name));
  const auto found = std::ranges::find_if(measurements, [&](const Measurement& each) {
    return is_meant(name, each.what) && word.params == each.what.variant.params();
  });
  if (found == measurements.end()) return name;
  const Case what = found->what;
  std::erase_if(measurements, [&](const Measurement& each) {
    return !word.collective.empty() && each.what.collective != what.collective;
  });
  return to_text(what.variant);
}

/// The profile behind plot profile.
/// @throws UsageError when it is missing, or when its calls ran by a table
std::optional<tables::Profile> asked_profile(const Options& options) {
  if (options.plot != "profile") return std::nullopt;
  if (options.form != CallForm::blocking) {
    throw UsageError(
        "plot profile: --form asked for; it is of blocking calls: computation may hide others");
  }
  if (options.profile.empty()) throw UsageError("plot profile: --profile FILE is missing");
  tables::Profile profile = session::profile_in(options.profile);
  for (const auto& [use, amount] : profile.uses) {
    if (use.variant.is<Native>()) continue;
    throw UsageError(
        fmt::format("{}: calls ran by a table, as {} by {}; take the profile without one: "
                    "`breakeven profile`",
                    options.profile, kCollectives.of(use.collective), to_text(use.variant)));
  }
  return profile;
}

/// The samples of the wanted cases.
std::string spread_input(const Options& options, const Selection& from) {
  std::vector<report::LaunchSamples> launches;
  from.store.visit_samples(from.id, [&](const results::CaseSamples& each) {
    if (!options.wants(each.what)) return;
    report::LaunchSamples launch{.what = each.what};
    for (const Seconds duration : each.local) launch.seconds.push_back(duration.value);
    launches.push_back(std::move(launch));
  });
  if (launches.empty()) throw UsageError("a model has no samples");
  return report::spread_json(from.machine, launches, options.blocks);
}

/// The data of the plot, as JSON.
std::string input_of(const Options& options, const Selection& from) {
  const std::optional<tables::Profile> profile = asked_profile(options);
  const ProgramTime time = profile ? tables::program_time(*profile) : ProgramTime{};
  const std::vector<Measurement> measurements = asked(options, from);
  if (options.plot == "guidelines") {
    const guidelines::ReportHead head{.machine = from.machine, .database = options.database.file};
    return guidelines::report_json(guidelines::evaluate(measurements), head);
  }
  if (options.plot == "prediction") {
    if (options.model.empty()) throw UsageError("plot prediction: --model MODEL is missing");
    return tuner::agreement_json(
        session::agreements_of(options.model, from.store, from.id, measurements), from.machine,
        options.model);
  }
  if (options.plot == "curves")
    return report::curves_json(from.machine, measurements, options.curves);
  if (options.plot == "spread") return spread_input(options, from);
  std::vector<Measurement> chosen = compared(options, measurements);
  const std::string baseline =
      options.plot == "ratio" ? baseline_of(options.curves.baseline, chosen) : "";
  const std::vector<tuner::Decision> decisions =
      tuner::decide(chosen, tuner::TableKey{.program_time = time});
  if (profile) return report::program_json(from.machine, decisions, *profile);
  if (options.plot == "fastest") return report::fastest_map_json(from.machine, decisions);
  return report::ratio_map_json(from.machine, decisions, baseline);
}

int run(const Options& options) {
  const auto plot = std::ranges::find(kPlots, options.plot, &Plot::name);
  const Selection from = select_machine(options.database);
  run_script(plot->script, {"--out", options.out}, input_of(options, from));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  std::vector<std::string_view> plots;
  for (const Plot& each : kPlots) plots.push_back(each.name);
  add_choice(
      app, "PLOT", options->plot, plots,
      "fastest: the choice of a table at each size and process count; ratio: native's time, "
      "or the baseline's, divided by the fastest algorithm's; curves: times of all "
      "candidates; spread: their samples as boxes; profile: the calls that take most of "
      "a program's time, and what a table saves; guidelines: times of mock-ups and the library's "
      "own algorithms, relative to its default; prediction: a model's predictions "
      "against measurements")
      ->required();
  add_database_options(app, options->database);
  add_file(app, "--out", options->out, "picture to write: .png, .svg or .pdf")->required();
  add(app, "--collective", options->collective, "only this one [all that were measured]");
  add(app, "--counts", options->counts, "block sizes of irregular collectives");
  add(app, "--form", options->form, "form of the calls: blocking, nonblocking, persistent");
  add(app, "--procs", options->procs, "only these process counts: 2,3,4 or 2:8");
  add(app, "--bytes", options->bytes, "only these message sizes: 8,1K or 8:1M");
  add(app, "--algorithms", options->algorithms,
      "only these, as names of a sweep or a table; without parameters, with any")
      ->type_name("ALGORITHM,...");
  add(app, "--by", options->curves.by, "axis of curves");
  add(app, "--show", options->curves.quantity,
      "quantity of curves: time, bandwidth (message / time), speedup (--baseline's time / this "
      "one's), or relative_time (the other way round)");
  add(app, "--baseline", options->curves.baseline,
      "of ratio and curves, whose time is divided: ALGORITHM, or COLLECTIVE/ALGORITHM, which in "
      "curves is for all collectives at equal bytes of the vector")
      ->type_name("ALGORITHM");
  add(app, "--baseline-mapping", options->curves.baseline_mapping,
      "of curves, the mapping of --baseline [that of each curve]");
  add(app, "--blocks", options->blocks,
      "of spread, numbers of consecutive samples whose means are drawn: 1,2,5,10")
      ->group(kRare);
  add_file(app, "--profile", options->profile, "file of `breakeven profile`, of plot profile");
  add(app, "--model", options->model, "model or machine file, of plot prediction")
      ->type_name("MODEL");
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::plot_command

const breakeven::cli::Command breakeven::cli::kPlot{
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
    .setup = plot_command::setup};
