// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/predict_text.hpp"
#include "cli/schedule.hpp"
#include "core/error.hpp"
#include "harness/session/profile_sweep.hpp"
#include "harness/session/program.hpp"
#include "kernels/params.hpp"
#include "report/plots.hpp"

namespace breakeven::cli::predict_command {

namespace {

/// Limits of the messages and local steps of all ranks: a simulation takes a second, so that all
/// algorithms of a collective at many p and sizes take no hour; or a minute, for named algorithms.
constexpr std::size_t kMostSteps = std::size_t{1} << 17U;
constexpr std::size_t kMostStepsOfNamed = std::size_t{1} << 27U;

struct Options {
  std::vector<std::string> what;
  ScheduleOptions schedule{};  ///< processes, their placement, format
  std::vector<Bytes> bytes = read<std::vector<Bytes>>("8:1M");
  std::string machine;
  Seconds skew{};
  std::string noise;
  unsigned runs = 25;
  bool formula = false;
  bool extrapolate = false;
  std::string baseline;
  std::string out;
  std::string profile;  ///< of a program, in place of `what`
  std::string tables;   ///< that the program would get
};

/// "2..128" for each number, "2:1M" for 2, 4, 8, ..., lists with commas.
std::vector<int> procs_of(const std::string& text) {
  constexpr std::int64_t kMost = 1 << 20;
  std::vector<int> found;
  for (const std::string_view part : kernels::split_list(text)) {
    std::vector<std::int64_t> counts;
    if (part.find("..") != std::string_view::npos) {
      std::ranges::copy(read<std::vector<int>>(std::string{part}), std::back_inserter(counts));
    } else {
      for (const Bytes count : read<std::vector<Bytes>>(std::string{part})) {
        counts.push_back(count.value);
      }
    }
    for (const std::int64_t count : counts) {
      if (count > kMost) {
        throw UsageError(fmt::format("p = {} asked for; at most {} is possible", count, kMost));
      }
      found.push_back(static_cast<int>(count));
    }
  }
  return found;
}

tuner::ForecastQuestion question_of(const Options& options) {
  tuner::ForecastQuestion question{.most_steps = kMostSteps};
  const std::string& first = options.what.front();
  question.collective = kCollectives.parse(first.substr(0, first.find('/')));
  if (options.what.size() == 1 && first.find('/') == std::string::npos) return question;
  question.most_steps = kMostStepsOfNamed;
  for (const std::string& each : options.what) {
    const Named what = named(each, {});
    if (what.collective != question.collective) {
      throw UsageError(fmt::format("{} and {} asked for; algorithms of one collective are possible",
                                   first, each));
    }
    question.variants.push_back({what.algorithm, what.params});
  }
  return question;
}

/// One run with the requested skew; with noise several runs, each with its own seed.
std::vector<sim::Conditions> runs_of(const Options& options, int procs) {
  const sim::Noise noise = options.noise.empty() ? sim::Noise{} : sim::parse_noise(options.noise);
  std::vector<sim::Conditions> runs;
  for (std::uint64_t run = 0; run < (noise.none() ? 1U : options.runs); ++run) {
    runs.push_back({.starts = sim::starts_of(options.skew, procs, 1 + run), .noise = noise});
    runs.back().noise.seed += run;
  }
  return runs;
}

/// @throws UsageError where a cell is beyond the machine's limits
void require_within(const sim::MachineDescription& machine, int procs, int procs_per_node,
                    const std::vector<Bytes>& sizes) {
  for (const Bytes message : sizes) {
    if (const auto what = tuner::beyond(machine.limits, procs, procs_per_node, message)) {
      throw UsageError(fmt::format("{}, up to which {} was measured; --extrapolate goes beyond",
                                   *what, machine.name));
    }
  }
}

/// The program's layout where it is not the profile's.
std::optional<NodeLayout> grown_layout(const Options& options) {
  if (options.schedule.procs.empty()) return std::nullopt;
  const std::vector<int> procs = procs_of(options.schedule.procs);
  if (procs.size() != 1) throw UsageError("--profile with --procs: one number is possible");
  const kernels::Placement placement = placement_of(options.schedule, procs.front());
  const int on_node = placement.procs_per_node > 0 ? placement.procs_per_node : procs.front();
  return NodeLayout{.procs = procs.front(),
                    .nodes = placement.nodes(procs.front()),
                    .procs_per_node = on_node,
                    .mapping = placement.mapping};
}

bool is_of(const Machine& machine, const tables::Profile& profile) {
  return machine.library_version == profile.library_version && machine.cpu == profile.cpu;
}

/// @throws UsageError where an option is of a prediction without a profile
void check_with_profile(const CLI::App& app, const Options& options) {
  for (const char* const each :
       {"WHAT", "--bytes", "--formula", "--out", "--baseline", "--skew-s", "--noise", "--runs"}) {
    if (app.count(each) > 0)
      throw UsageError(fmt::format("--profile takes no {}: the program's calls are known", each));
  }
  if (options.schedule.format == "json")
    throw UsageError("--profile with --format json; text, goal, chrome are possible");
  for (const char* const each : {"--procs-per-node", "--mapping"}) {
    if (app.count(each) > 0 && options.schedule.procs.empty())
      throw UsageError(fmt::format("--profile with {}: --procs NUMBER is missing", each));
  }
}

int run_with_profile(const CLI::App& app, const Options& options) {
  check_with_profile(app, options);
  const sim::MachineDescription machine = model_of(options.machine);
  const tables::Profile profile = session::profile_in(options.profile);
  std::optional<session::ProgramTables> tables;
  if (!options.tables.empty()) tables = session::read_program_tables(options.tables);
  const std::string& format = options.schedule.format;
  const std::optional<NodeLayout> grown = grown_layout(options);
  // Calls of sizes beyond the fit widen the interval instead.
  if (grown && !options.extrapolate)
    require_within(machine, grown->procs, grown->procs_per_node, {Bytes{0}});
  const tuner::ProgramForecast program =
      tuner::forecast(profile,
                      {.all = tables ? &tables->all.table : nullptr,
                       .library = tables && tables->library ? &*tables->library : nullptr,
                       .measured_here = tables && is_of(tables->all.provenance.machine, profile)},
                      machine, grown);
  if (format == "goal") fmt::print("{}", program_goal(program));
  if (format == "chrome") fmt::print("{}", program_chrome(program, machine.name));
  if (format == "text") print_program(program, machine, tables.has_value());
  return 0;
}

void check(const Options& options) {
  if (options.what.empty()) throw UsageError("COLLECTIVE or --profile FILE is missing");
  if (options.schedule.procs.empty()) throw UsageError("--procs NUMBER,... is missing");
  if (options.schedule.format == "goal" || options.schedule.format == "chrome")
    throw UsageError(fmt::format("--format {} is of a program; --profile FILE is missing",
                                 options.schedule.format));
  if (!options.tables.empty())
    throw UsageError("--tables is of a program; --profile FILE is missing");
  if (!options.baseline.empty() && options.out.empty()) {
    throw UsageError("--baseline is of a map; --out FILE is missing");
  }
}

int run(const CLI::App& app, const Options& options) {
  if (!options.profile.empty()) return run_with_profile(app, options);
  check(options);
  const sim::MachineDescription machine = model_of(options.machine);
  tuner::ForecastQuestion question = question_of(options);
  const std::vector<Bytes> sizes =
      moves_data(question.collective) ? options.bytes : std::vector{Bytes{}};
  std::vector<tuner::ForecastCell> cells;
  for (const int procs : procs_of(options.schedule.procs)) {
    question.placement = placement_of(options.schedule, procs);
    if (!options.extrapolate)
      require_within(machine, procs, question.placement.procs_per_node, sizes);
    std::ranges::move(tuner::forecast(question, machine, procs, sizes, runs_of(options, procs)),
                      std::back_inserter(cells));
  }
  const bool json = options.schedule.format == "json";
  if (json) fmt::print("{}", tuner::forecast_json(question, machine, cells));
  if (!options.out.empty()) {
    run_script("plots/predicted_map.py", {"--out", options.out},
               report::predicted_map_json(question, machine, cells, options.baseline));
  } else if (options.formula && !json) {
    print_formulas(question, machine, cells);
  } else if (!json) {
    print_fastest(question, machine, cells);
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  ScheduleOptions& schedule = options->schedule;
  app.add_option("WHAT", options->what,
                 "COLLECTIVE, for all its algorithms and parameters worth trying; or "
                 "COLLECTIVE/ALGORITHM[:KEY=VALUE,...], one or more");
  add(app, "--procs", schedule.procs,
      "process counts: 2,3,4; 2..128 for each; 2:1M for 2, 4, 8, ...; with --profile one")
      ->type_name("NUMBER,...");
  add_file(app, "--profile", options->profile,
           "predict the calls of a program, a file of `breakeven profile`, in place of WHAT");
  add(app, "--tables", options->tables,
      "with --profile: tables that the program would get [the algorithms predicted to be fastest]")
      ->type_name("FOLDER");
  add(app, "--bytes", options->bytes, "message sizes in bytes (K = 1024): 8:1M or 8,4K");
  add(app, "--machine", options->machine,
      "a model, `breakeven machines` lists them; or a machine file, FILE.toml")
      ->required()
      ->type_name("MODEL");
  add_placement_options(app, schedule);
  app.add_flag("--formula", options->formula,
               "show the sources' formulas, and their times next to the simulated ones");
  app.add_flag("--extrapolate", options->extrapolate,
               "go beyond the processes and sizes that a machine file was fitted to");
  add_choice(app, "--format", schedule.format, {"text", "json", "goal", "chrome"},
             "text; json with the times of all; with --profile its replay by the tables: goal for "
             "LogGOPSim, or chrome, trace events");
  add_file(app, "--out", options->out,
           "draw a map of the fastest by p and size: .svg, .png or .pdf");
  add(app, "--baseline", options->baseline,
      "of the map: show by which factor the fastest other is faster")
      ->type_name("ALGORITHM");
  add_disturbance_options(app, options->skew, options->noise);
  add(app, "--runs", options->runs,
      "2 to 10000 simulated runs with --noise, each with its own seed; times are then medians, "
      "with "
      "95 % of the runs")
      ->check(CLI::Range(2U, 10000U).description(""))
      ->group(kRare);
  return [options, &app] { return run(app, *options); };
}

}  // namespace

}  // namespace breakeven::cli::predict_command

const breakeven::cli::Command breakeven::cli::kPredict{
    .name = "predict",
    .summary = "Predict which algorithm is fastest on a model machine, and its time",
    .examples = R"(
Parameters of models are in s and s/byte; `breakeven machines` lists their keys.
Examples:
  breakeven predict allreduce --procs 8,64,512 --machine postal:alpha=1e-6,beta=1e-9,gamma=1e-10
  breakeven predict allreduce --procs 2:1M --bytes 8:64M --out map.svg \
      --machine loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9
  breakeven predict reduce --procs 13 --bytes 8,64K --formula \
      --machine postal:alpha=1e-6,beta=1e-9,gamma=1e-10,f_alpha=0.5,f_beta=0.5
  breakeven predict allreduce/recursive_doubling --procs 1024 --bytes 8 \
      --noise exponential:rate_per_s=1000,mean_s=2e-5 --machine loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9
  breakeven predict --profile profile.json --tables tables --machine cluster.toml
  breakeven predict bcast/binomial bcast/binomial:segments=8 --procs 64 --bytes 1M \
      --machine loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9)",
    .setup = predict_command::setup};
