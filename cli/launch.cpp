// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/launcher_options.hpp"
#include "cli/setting_text.hpp"
#include "core/error.hpp"
#include "harness/doctor/host.hpp"
#include "harness/launch/ask.hpp"
#include "harness/launch/paths.hpp"
#include "harness/launch/probe.hpp"
#include "harness/protocol/cpu_set.hpp"

namespace breakeven::cli::launch_command {

namespace {

constexpr Seconds kPatience{60};  // for a job to start and say where it is

struct Options {
  std::string machine;
  std::string procs = "2";
  int nodes = 1;
  std::string mapping{to_text(Mapping::seq)};
  std::optional<int> cores;
  launch::LauncherOptions launcher;
  bool dry_run = false;
};

/// @param host  cores of a node, and how many nodes share them
std::vector<launch::JobLayout> layouts(const Options& options, const protocol::JobInfo& host) {
  std::vector<launch::JobLayout> found;
  for (const int procs : read(options.procs, std::type_identity<std::vector<int>>{})) {
    if (options.nodes < 1 || procs % options.nodes != 0) {
      throw UsageError(fmt::format("{} processes on {} nodes asked for; as many on each node",
                                   procs, options.nodes));
    }
    const int procs_per_node = procs / options.nodes;
    found.push_back({{.procs = procs,
                      .nodes = options.nodes,
                      .procs_per_node = procs_per_node,
                      .mapping = Mapping::parse(options.mapping)},
                     launch::oversubscribed(host, procs_per_node)});
  }
  return found;
}

int dry_run(const Options& options) {
  const launch::Library library =
      launch::describe_library(options.machine, launch::workers_folder(), options.launcher);
  if (!library.why.empty()) fmt::print(stderr, "{}\n", library.why);
  const protocol::JobInfo host{.cores = options.cores.value_or(protocol::usable_cores(
                                   doctor::read_host(protocol::allowed_cpus(0)).cpus))};
  std::string lines;  // all or none
  for (const launch::JobLayout& layout : layouts(options, host)) {
    lines += launch::to_text(launch::job_command(library, layout)) + "\n";
  }
  fmt::print("{}", lines);
  return 0;
}

/// "  node0: 0 1 2 3", in the order in which ranks come to nodes.
void print_placement(const protocol::JobInfo& job_info) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::size_t>> ranks_on;
  for (std::size_t rank = 0; rank < job_info.hosts.size(); ++rank) {
    std::vector<std::size_t>& ranks = ranks_on[job_info.hosts[rank]];
    if (ranks.empty()) order.push_back(job_info.hosts[rank]);
    ranks.push_back(rank);
  }
  for (const std::string& host : order) {
    fmt::print("  {}: {}\n", host, fmt::join(ranks_on[host], " "));
  }
}

/// Starts a job that only says where it is.
void start(const launch::Library& library, const launch::JobLayout& layout) {
  const launch::ChildProcess::Command command = launch::job_command(library, layout);
  fmt::print("{}\n", launch::to_text(command));
  std::optional<protocol::JobInfo> found;
  const launch::JobEnd end = launch::ask(
      command, kPatience, {}, [&](const protocol::JobInfo& job_info) { found = job_info; });
  if (!found || !end.complete()) {
    throw UsageError(
        fmt::format("'{}' can't start a job: {}", launch::to_text(command), end.outcome));
  }
  print_placement(*found);
  launch::check_placement(*found, layout);
}

int run(const Options& options) {
  if (options.dry_run) return dry_run(options);
  const launch::Library library = ready_library(options.machine, options.launcher);
  const protocol::JobInfo host =
      options.cores ? protocol::JobInfo{.cores = *options.cores}
                    : launch::probe(library, {.nodes = options.nodes}, kPatience).job_info;
  for (const launch::JobLayout& layout : layouts(options, host)) start(library, layout);
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--machine", options->machine, "the MPI library")->required();
  app.add_option("--procs", options->procs, "process counts, as in a sweep [2]");
  app.add_option("--nodes", options->nodes, "nodes, each with the same number of processes [1]");
  app.add_option("--mapping", options->mapping, "seq, rr, blocked:2, as in a sweep [seq]");
  app.add_option("--cores", options->cores,
                 "cores of a node; more processes than that oversubscribe it [measured on the "
                 "nodes; in a dry run this host's]");
  add_launcher_options(app, options->launcher);
  app.add_flag("--dry-run", options->dry_run,
               "only print the command for each process count; needs no MPI library");
  return [options] { return run(*options); };
}

}  // namespace

const Command command{.name = "launch",
                      .summary = "Start a job as a sweep does, and print the node of each rank",
                      .examples = R"(
Exit status: 2 if the job cannot be started, or its ranks are not on the requested nodes.
Examples:
  breakeven launch --machine mpich --procs 2,4
  breakeven launch --machine openmpi --procs 64 --nodes 8 --mapping rr --dry-run
  breakeven launch --machine mpich --procs 64 --nodes 8 --cores 8 --launcher flux --dry-run
  breakeven launch --machine mpich --procs 8 --nodes 2 --launcher-args "-f hosts")",
                      .setup = setup};

}  // namespace breakeven::cli::launch_command
