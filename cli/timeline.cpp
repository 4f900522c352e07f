// SPDX-License-Identifier: BSD-3-Clause
#include "sim/timeline.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "cli/schedule.hpp"
#include "kernels/build.hpp"

namespace breakeven::cli::timeline_command {

namespace {

struct Options {
  std::string what;
  std::string machine;
  int procs = 0;
  Bytes bytes{8};
  Seconds skew{};
  std::string noise;
  ScheduleOptions schedule{};
};

int run(const Options& options) {
  const std::string& format = options.schedule.format;
  const sim::MachineDescription machine = model_of(options.machine);
  const Named what = named(options.what, options.schedule);
  const int procs = options.procs;
  require_root(options.schedule.root, procs);
  const kernels::Problem problem{.collective = what.collective,
                                 .procs = procs,
                                 .root = Rank{options.schedule.root},
                                 .params = what.params,
                                 .placement = placement_of(options.schedule, procs)};
  const kernels::CollectiveCall call{.problem = problem,
                                     .count = moves_data(what.collective) ? options.bytes.value : 0,
                                     .datatype = Datatype::byte};
  const kernels::Exchange exchange = kernels::exchange_of(*what.algorithm, problem);
  const sim::Conditions conditions{
      .starts = sim::starts_of(options.skew, procs),
      .noise = options.noise.empty() ? sim::Noise{} : sim::parse_noise(options.noise)};
  const sim::Trace trace = sim::trace(
      exchange, call, machine.of(what.collective, what.algorithm->name).machine, conditions);
  const sim::Run run{.title = {.problem = problem, .algorithm = what.algorithm->name},
                     .machine = machine.name,
                     .call = call,
                     .exchange = exchange,
                     .trace = trace};
  fmt::print("{}", format == "json"     ? sim::timeline_json(run)
                   : format == "chrome" ? sim::timeline_chrome(run)
                   : format == "svg"    ? sim::timeline_svg(run)
                                        : sim::timeline_text(run));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  ScheduleOptions& schedule = options->schedule;
  app.add_option("WHAT", options->what, "COLLECTIVE/ALGORITHM[:KEY=VALUE,...]")->required();
  add_required(app, "--procs", options->procs, "number of processes");
  add(app, "--machine", options->machine,
      "a model, which `breakeven machines` lists, or a machine file, FILE.toml")
      ->required()
      ->type_name("MODEL");
  add(app, "--bytes", options->bytes, "message size, as MPI's count describes it [8]");
  add(app, "--root", schedule.root, "root of bcast, gather, reduce, scatter");
  add_placement_options(app, schedule);
  add_choice(app, "--format", schedule.format, {"text", "svg", "chrome", "json"},
             "form of the drawing; chrome: trace events, for ui.perfetto.dev or chrome://tracing");
  add_disturbance_options(app, options->skew, options->noise);
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::timeline_command

const breakeven::cli::Command breakeven::cli::kTimeline{
    .name = "timeline",
    .summary = "Draw when each process sends, receives and reduces on a model machine",
    .examples = R"(
Examples:
  breakeven timeline allreduce/ring --procs 4 --bytes 64K --machine postal:alpha=1e-6,beta=1e-9,gamma=1e-10
  breakeven timeline allreduce/recursive_multiplying:stages=m1g2a3,n1g3a2 --procs 7 \
      --machine pipelining:alpha_p=5e-7,alpha_r=1e-7,beta=0,gamma=1.25e-9,beta_p=4e-10,free_receives=1
  breakeven timeline allreduce/ring --procs 16 --procs-per-node 4 --mapping rr --bytes 1M \
      --machine two_level:L_intra=3e-7,L_inter=1e-6,o=1e-7,bus=1.8e-10,card=3.1e-10
  breakeven timeline allreduce/recursive_doubling --procs 8 --skew-s 2e-5 \
      --noise exponential:rate_per_s=1000,mean_s=1e-5 --machine loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9
  breakeven timeline bcast/binomial:segments=4 --procs 8 --bytes 1M --format svg > bcast.svg \
      --machine loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9
  breakeven timeline allreduce/ring --procs 4 --machine loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9 \
      --format chrome > trace.json)",
    .setup = timeline_command::setup};
