// SPDX-License-Identifier: BSD-3-Clause
#include "sim/timeline.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/schedule.hpp"
#include "cli/setting_text.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"
#include "kernels/build.hpp"

namespace breakeven::cli::timeline_command {

namespace {

struct Options {
  std::string what;
  std::string machine;
  std::string bytes = "8";
  double skew_s = 0;
  std::string noise;
  ScheduleOptions schedule{};
};

int run(const Options& options) {
  const std::string& format = options.schedule.format;
  if (format != "text" && format != "json" && format != "svg") {
    throw UsageError(unknown("format", format, {"text", "json", "svg"}));
  }
  const sim::MachineDescription machine = model_of(options.machine);
  const Named what = named(options.what, options.schedule);
  const int procs = read(options.schedule.procs, std::type_identity<int>{});
  require_root(options.schedule.root, procs);
  const kernels::Problem problem{.collective = what.collective,
                                 .procs = procs,
                                 .root = Rank{options.schedule.root},
                                 .params = what.params,
                                 .placement = placement_of(options.schedule, procs)};
  const kernels::CollectiveCall call{
      .problem = problem, .count = parse_bytes(options.bytes).value, .datatype = Datatype::byte};
  const kernels::Exchange exchange = kernels::exchange_of(*what.algorithm, problem);
  const sim::Conditions conditions{
      .starts = sim::starts_of({options.skew_s}, procs),
      .noise = options.noise.empty() ? sim::Noise{} : sim::parse_noise(options.noise)};
  const sim::Trace trace = sim::trace(
      exchange, call, machine.of(what.collective, what.algorithm->name).machine, conditions);
  const sim::Run run{.title = {.problem = problem, .algorithm = what.algorithm->name},
                     .machine = machine.name,
                     .call = call,
                     .exchange = exchange,
                     .trace = trace};
  fmt::print("{}", format == "json"  ? sim::timeline_json(run)
                   : format == "svg" ? sim::timeline_svg(run)
                                     : sim::timeline_text(run));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  ScheduleOptions& schedule = options->schedule;
  app.add_option("WHAT", options->what, "COLLECTIVE/ALGORITHM[:KEY=VALUE,...]")->required();
  app.add_option("--procs", schedule.procs, "number of processes")->required();
  app.add_option("--machine", options->machine,
                 "a model, which `breakeven machines` lists, or a machine file, FILE.toml")
      ->required();
  app.add_option("--bytes", options->bytes, "message size, as MPI's count describes it [8]");
  app.add_option("--root", schedule.root, "of bcast, gather, reduce, scatter [0]");
  app.add_option("--procs-per-node", schedule.procs_per_node,
                 "used by reorder_ranks and hierarchical [all on one node]");
  app.add_option("--mapping", schedule.mapping, "mapping of ranks to nodes: seq, rr ... [seq]");
  app.add_option("--skew-s", options->skew_s,
                 "seconds within which the processes begin, each at a random time [0]")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--noise", options->noise,
                 "what disturbs processors: exponential:rate_per_s=NUMBER,mean_s=SECONDS[,seed=1] "
                 "or trace:FILE[,seed=1] [none]");
  app.add_option("--format", schedule.format, "text, svg or json [text]");
  return [options] { return run(*options); };
}

}  // namespace

const Command command{
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
      --machine loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9)",
    .setup = setup};

}  // namespace breakeven::cli::timeline_command
