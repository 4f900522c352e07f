// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>

#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/smpi_machine.hpp"
#include "harness/session/look.hpp"
#include "stats/median.hpp"

namespace breakeven::cli::clocks_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string machine;
  int procs = 2;
  int nodes = 1;
  protocol::ClocksRequest request{};
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
  const double duration_s = options.request.duration.value;
  if (!(duration_s >= 0 && duration_s <= kLongest)) {
    throw UsageError(fmt::format("a duration of {} s asked for; 0 to {}", duration_s, kLongest));
  }
  if (!options.csv.empty()) check_writable(options.csv);
  if (options.out.empty()) return;
  check_writable(options.out);
  constexpr std::array kFormats{".png", ".svg", ".pdf"};
  if (std::ranges::find(kFormats, fs::path{options.out}.extension()) == kFormats.end()) {
    throw UsageError(fmt::format("can't draw '{}'; known: .png .svg .pdf", options.out));
  }
}

std::vector<session::WatchedClock> watch(const Options& options) {
  protocol::ClocksRequest request = options.request;
  if (request.clocks.empty()) {
    for (const auto& [clock, name] : kClockSyncs.entries) {
      if (clock != ClockSync::none) request.clocks.push_back(clock);
    }
  }
  return session::watch_clocks(ready_library(options.machine, options.launcher),
                               {.procs = options.procs,
                                .nodes = options.nodes,
                                .procs_per_node = options.procs / options.nodes},
                               request);
}

using Offsets = std::span<const protocol::ClockOffset>;

/// Median and maximum over ranks of one reading.
struct Errors {
  double median = 0;
  double most = 0;
};

template <typename Value>
Errors errors(Offsets reading, const Value& value) {
  std::vector<double> sizes;
  for (const protocol::ClockOffset& offset : reading) sizes.push_back(std::abs(value(offset)));
  return {.median = stats::median(sizes), .most = std::ranges::max(sizes)};
}

double measured(const protocol::ClockOffset& offset) { return offset.offset.value; }
double truth(const protocol::ClockOffset& offset) { return offset.truth.value_or(Seconds{}).value; }

/// A method's first and last reading, one offset of each rank.
struct Ends {
  Offsets first;
  Offsets last;
};

Ends ends_of(const session::WatchedClock& clock) {
  const Offsets all{clock.offsets};
  const auto ranks =
      static_cast<std::size_t>(std::ranges::max(all, {}, &protocol::ClockOffset::rank).rank);
  return {.first = all.first(ranks), .last = all.last(ranks)};
}

/// The largest drift of a rank's clock against rank 0's, in microseconds per second.
std::string drift_text(const Ends& ends) {
  double most = 0;
  for (std::size_t i = 0; i < ends.first.size(); ++i) {
    const double time = ends.last[i].elapsed.value - ends.first[i].elapsed.value;
    if (time <= 0) return "-";
    most = std::max(most, std::abs(measured(ends.last[i]) - measured(ends.first[i])) / time);
  }
  return fmt::format("{:.3g}", 1e6 * most);
}

std::string pair_text(const Errors& errors) {
  return fmt::format("{:>9} {:>9}", to_text(Seconds{errors.median}), to_text(Seconds{errors.most}));
}

std::string row(const session::WatchedClock& clock) {
  const Ends ends = ends_of(clock);
  const bool known = ends.last.front().truth.has_value();
  return fmt::format("{:<10} {:>10}   {}   {}   {:>8}   {}\n", kClockSyncs.of(clock.synced.clock),
                     to_text(clock.synced.duration), pair_text(errors(ends.first, measured)),
                     pair_text(errors(ends.last, measured)), drift_text(ends),
                     known ? pair_text(errors(ends.last, truth)) : "unknown");
}

/// For people: the time to synchronise, the clocks' errors right after it and at the end, and the
/// drift between the two.
std::string to_table(const std::vector<session::WatchedClock>& clocks) {
  std::string table =
      fmt::format("{:<10} {:>10}   {:^19}   {:^19}   {:>8}   {:^19}\n", "", "time to",
                  "error right after", "error at the end", "drift", "truth at the end");
  table +=
      fmt::format("{:<10} {:>10}   {:>9} {:>9}   {:>9} {:>9}   {:>8}   {:>9} {:>9}\n", "clock",
                  "synchronise", "median", "max", "median", "max", "max, ppm", "median", "max");
  double uncertainty = 0;
  double longest = 0;
  bool known = true;
  for (const session::WatchedClock& clock : clocks) {
    table += row(clock);
    const Offsets last = ends_of(clock).last;
    uncertainty = errors(last, [](const protocol::ClockOffset& each) {
                    return each.round_trip.value / 2;
                  }).most;
    longest = std::max(longest, last.front().elapsed.value);
    known = known && last.front().truth.has_value();
  }
  table += fmt::format(
      "\nError: of the global clock of every rank but 0, against rank 0's clock, over ranks; known "
      "to {}\n(half of a message there and back) by measuring. The end: {} after the first "
      "synchronisation.\n",
      to_text(Seconds{uncertainty}), to_text(Seconds{longest}));
  table += known ? "Truth: all ranks are on one node, whose CLOCK_MONOTONIC they share.\n"
                 : "Truth: unknown, as the ranks are on several nodes.\n";
  return table;
}

/// One line for each offset, under a line of names; seconds with all their digits.
std::string to_csv(const std::vector<session::WatchedClock>& clocks) {
  std::string csv = "clock,synchronised_in_s,rank,elapsed_s,offset_s,round_trip_s,truth_s\n";
  for (const session::WatchedClock& clock : clocks) {
    for (const protocol::ClockOffset& offset : clock.offsets) {
      csv += fmt::format("{},{},{},{},{},{},{}\n", kClockSyncs.of(offset.clock),
                         clock.synced.duration.value, offset.rank, offset.elapsed.value,
                         offset.offset.value, offset.round_trip.value,
                         offset.truth ? fmt::format("{}", offset.truth->value) : "");
    }
  }
  return csv;
}

int run(const Options& options) {
  check(options);
  const std::vector<session::WatchedClock> clocks = watch(options);
  fmt::print("{}", to_table(clocks));
  const std::string csv = to_csv(clocks);
  if (!options.csv.empty()) write_file(options.csv, csv);
  if (!options.out.empty()) run_script("plots/clock_offsets.py", {"--out", options.out}, csv);
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--machine", options->machine, "the MPI library")
      ->required()
      ->type_name("MACHINE");
  add(app, "--procs", options->procs, "processes of the job");
  add(app, "--nodes", options->nodes, "nodes, each with the same number of processes");
  add(app, "--clocks", options->request.clocks, "methods to compare [all but none]");
  add(app, "--duration-s", options->request.duration, "how long to measure the clocks' drift");
  add_file(app, "--csv", options->csv, "file for every measured offset");
  add_file(app, "--out", options->out, "plot of the errors over time: .png, .svg or .pdf");
  add_launcher_options(app, options->launcher);
  add(app, "--timer", options->request.timer, "clock that a rank reads")->group(kRare);
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::clocks_command

const breakeven::cli::Command breakeven::cli::kClocks{
    .name = "clocks",
    .summary = "Synchronise the ranks' clocks by each method, and measure the errors over time",
    .examples = R"(
Shows which --clock-sync suits a sweep with --sync window or round_time, and how long the clocks stay
synchronised.
Examples:
  breakeven clocks --machine mpich --procs 4
  breakeven clocks --machine openmpi --procs 4 --clocks hca3,skampi --duration-s 60 \
                   --csv clocks.csv --out clocks.png
  breakeven clocks --machine mpich --procs 64 --nodes 2 \
                   --launcher-args "-f hosts")",
    .setup = clocks_command::setup};
