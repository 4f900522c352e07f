// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "cli/clocks_report.hpp"
#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/script.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/smpi_machine.hpp"

namespace breakeven::cli::clocks_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string machine;
  int procs = 2;
  int nodes = 1;
  std::vector<std::string> clocks;
  std::string timer{kTimers.of(Timer::monotonic)};
  double duration_s = protocol::ClocksRequest{}.duration.value;
  std::string out;
  std::string csv;
  launch::LauncherOptions launcher;
};

/// Before anything is measured, because that takes a while.
void check_writable(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (access(folder.c_str(), W_OK) == 0 && !fs::is_directory(file)) return;
  throw UsageError(fmt::format("can't write '{}'", file.string()));
}

void check(const Options& options) {
  launch::require_real_nodes(options.machine, "clocks");
  if (options.nodes < 1 || options.procs < 2 || options.procs % options.nodes != 0) {
    throw UsageError(
        fmt::format("{} processes on {} nodes asked for; 2 or more, as many on each node",
                    options.procs, options.nodes));
  }
  constexpr double kLongest = 86400;
  if (!(options.duration_s >= 0 && options.duration_s <= kLongest)) {
    throw UsageError(
        fmt::format("a duration of {} s asked for; 0 to {}", options.duration_s, kLongest));
  }
  if (!options.csv.empty()) check_writable(options.csv);
  if (options.out.empty()) return;
  check_writable(options.out);
  constexpr std::array kFormats{".png", ".svg", ".pdf"};
  if (std::ranges::find(kFormats, fs::path{options.out}.extension()) == kFormats.end()) {
    throw UsageError(fmt::format("can't draw '{}'; known: .png .svg .pdf", options.out));
  }
}

protocol::ClocksRequest request_of(const Options& options) {
  protocol::ClocksRequest request{
      .clocks = {}, .timer = kTimers.parse(options.timer), .duration = {options.duration_s}};
  for (const std::string& name : options.clocks) {
    const ClockSync clock = kClockSyncs.parse(name);
    if (std::ranges::find(request.clocks, clock) == request.clocks.end()) {
      request.clocks.push_back(clock);
    }
  }
  if (!options.clocks.empty()) return request;
  for (const auto& [clock, name] : kClockSyncs.entries) {
    if (clock != ClockSync::none) request.clocks.push_back(clock);
  }
  return request;
}

std::vector<session::WatchedClock> watch(const Options& options,
                                         const protocol::ClocksRequest& request) {
  const launch::Library library = ready_library(options.machine, options.launcher);
  return session::watch_clocks(library,
                               {.procs = options.procs,
                                .nodes = options.nodes,
                                .procs_per_node = options.procs / options.nodes},
                               request);
}

int run(const Options& options) {
  check(options);
  const std::vector<session::WatchedClock> clocks = watch(options, request_of(options));
  fmt::print("{}", clocks_table(clocks));
  const std::string csv = clocks_csv(clocks);
  if (!options.csv.empty()) write_file(options.csv, csv);
  if (!options.out.empty()) run_script("plots/clock_offsets.py", {"--out", options.out}, csv);
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--machine", options->machine, "the MPI library")->required();
  app.add_option("--procs", options->procs, "processes of the job [2]");
  app.add_option("--nodes", options->nodes, "nodes, each with the same number of processes [1]");
  app.add_option("--clocks", options->clocks,
                 "methods: skampi, jk, hca, hca2, hca3, two_level, none [all but none]")
      ->delimiter(',');
  app.add_option("--timer", options->timer, "monotonic or wtime [monotonic]");
  app.add_option("--duration-s", options->duration_s, "how long to measure the clocks' drift [10]");
  app.add_option("--csv", options->csv, "file for every measured offset");
  app.add_option("--out", options->out, "plot of the errors over time: .png, .svg or .pdf");
  add_launcher_options(app, options->launcher);
  return [options] { return run(*options); };
}

}  // namespace

const Command command{
    .name = "clocks",
    .summary = "Synchronise the ranks' clocks by each method, and measure the errors over time",
    .examples = R"(
Shows which --clock-sync a sweep with --sync window or round_time should use, and for how long the
clocks stay synchronised.
Examples:
  breakeven clocks --machine mpich --procs 4
  breakeven clocks --machine openmpi --procs 4 --clocks hca3,skampi --duration-s 60 \
                   --csv clocks.csv --out clocks.png
  breakeven clocks --machine mpich --procs 64 --nodes 2 \
                   --launcher-args "-f hosts")",
    .setup = setup};

}  // namespace breakeven::cli::clocks_command
