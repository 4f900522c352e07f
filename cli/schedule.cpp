// SPDX-License-Identifier: BSD-3-Clause
#include "cli/schedule.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::cli {

namespace {

/// "allreduce/ring" and all other algorithms, and the words of actions.
std::vector<std::string> all_words() {
  std::vector<std::string> names{"list", "show", "prove"};
  for (const auto& [collective, name] : kCollectives.entries) {
    if (regular(collective) != collective) continue;
    for (const kernels::Algorithm* each : kernels::catalogue(collective)) {
      names.push_back(fmt::format("{}/{}", name, each->name));
    }
  }
  return names;
}

}  // namespace

Named named(std::string_view word, const ScheduleOptions& options) {
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) {
    const std::vector<std::string> names = all_words();
    const std::string meant = did_you_mean(word, {names.begin(), names.end()});
    throw UsageError(
        fmt::format("'{}' is not COLLECTIVE/ALGORITHM{} `breakeven schedule list` lists "
                    "them",
                    word, meant.empty() ? ";" : meant));
  }
  const Collective collective = kCollectives.parse(word.substr(0, slash));
  std::string name{word.substr(slash + 1)};
  for (const std::string& param : options.params) {
    name.append(name.find(':') == std::string::npos ? ":" : ",").append(param);
  }
  auto [algorithm, params] = kernels::find_instance(collective, Variant::parse(name));
  return {collective, algorithm, std::move(params)};
}

kernels::Placement placement_of(const ScheduleOptions& options, int procs) {
  if (options.procs_per_node < 0) {
    throw UsageError(fmt::format("{} processes per node asked for", options.procs_per_node));
  }
  kernels::Placement placement{.procs_per_node = options.procs_per_node,
                               .mapping = options.mapping};
  if (placement.mapping.kind() == Mapping::Kind::irregular) {
    placement.procs_per_node = recognise(placement.mapping.listed()).procs_per_node;
  }
  if (placement.procs_per_node > 0) {
    require_fits({.procs = procs,
                  .nodes = placement.nodes(procs),
                  .procs_per_node = placement.procs_per_node,
                  .mapping = placement.mapping});
  }
  return placement;
}

int procs_of(const ScheduleOptions& options) {
  if (options.procs.empty()) {
    throw UsageError(
        "schedule needs --procs, number of processes; example: "
        "`breakeven schedule allreduce/ring --procs 4`");
  }
  return read<int>(options.procs);
}

void require_root(int root, int procs) {
  if (root >= 0 && root < procs) return;
  throw UsageError(
      fmt::format("root {} asked for; p = {} has ranks 0 to {}", root, procs, procs - 1));
}

void add_placement_options(CLI::App& app, ScheduleOptions& options) {
  add(app, "--procs-per-node", options.procs_per_node,
      "processes of a node, for reorder_ranks, hierarchical and models of two levels [all on one "
      "node]");
  add(app, "--mapping", options.mapping,
      "how ranks are placed on nodes: seq, rr, blocked:2, or irregular:0*2.1.0 (the node of each "
      "rank)");
}

void add_disturbance_options(CLI::App& app, Seconds& skew, std::string& noise) {
  add(app, "--skew-s", skew, "seconds within which the processes begin, each at a random time")
      ->check(CLI::NonNegativeNumber.description(""));
  add(app, "--noise", noise,
      "what disturbs processors: exponential:rate_per_s=NUMBER,mean_s=SECONDS[,seed=1] or "
      "trace:FILE[,seed=1] [none]")
      ->type_name("NOISE");
}

namespace schedule_command {
namespace {

int run(ScheduleOptions options) {
  const std::string action = options.words.front();
  if (action == "list" || action == "show" || action == "prove") {
    options.words.erase(options.words.begin());
  }
  if (action == "list") return list_schedules(options);
  if (action == "prove") return prove_schedules(options);
  return options.list_stages ? list_stages(options) : show_schedule(options);
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<ScheduleOptions>();
  app.add_option("WHAT", options->words,
                 "list [COLLECTIVE]; [show] COLLECTIVE/ALGORITHM[:KEY=VALUE,...]; prove "
                 "[COLLECTIVE/ALGORITHM]...")
      ->required();
  add(app, "--procs", options->procs,
      "number of processes; list and prove take several: 2,3,4 or 2:128 [prove: 2:32]")
      ->type_name("NUMBER,...");
  add(app, "--root", options->root, "root of bcast, gather, reduce, scatter");
  app.add_option("--param", options->params,
                 "a parameter of the algorithm; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_placement_options(app, *options);
  add_choice(app, "--format", options->format, kScheduleFormats,
             "of show: text, json, svg, circle (an svg of who sends to whom), or goal for "
             "LogGOPSim; of list: text or markdown");
  add(app, "--bytes", options->bytes, "of format goal: message size, as MPI's count describes it")
      ->type_name("BYTES");
  add(app, "--machine", options->machine,
      "of format goal: a model, for the time of reductions [they take none]")
      ->type_name("MODEL")
      ->group(kRare);
  app.add_flag("--list-stages", options->list_stages,
               "print every list of stages of allreduce/recursive_multiplying for --procs");
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace schedule_command

const Command kSchedule{
    .name = "schedule",
    .summary =
        "List or prove the algorithms, or print each rank's sends and reductions in one of them",
    .examples = R"(
Examples:
  breakeven schedule list
  breakeven schedule list allreduce
  breakeven schedule list --procs 8                     # what a sweep tries, and equal schedules
  breakeven schedule allreduce/ring --procs 4
  breakeven schedule show reduce/binomial --procs 6 --root 2
  breakeven schedule show allreduce/halving_doubling --procs 13 --format svg > halving.svg
  breakeven schedule show allreduce/ring:reorder_ranks=seq --procs 8 --procs-per-node 4 --format json
  breakeven schedule show allreduce/ring --procs 64 --format goal --bytes 64K > ring.goal
  breakeven schedule allreduce/ring:reorder_ranks=seq --procs 4 --mapping irregular:0.1.1.0
  breakeven schedule allreduce/recursive_multiplying --procs 7 --param stages=m1g2a3,n1g3a2
  breakeven schedule allreduce/recursive_multiplying --procs 12 --list-stages
  breakeven schedule prove --procs 2:128
  breakeven schedule prove reduce/binomial --procs 65536)",
    .setup = schedule_command::setup};

}  // namespace breakeven::cli
