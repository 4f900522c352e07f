// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/about.hpp"
#include "cli/command.hpp"
#include "cli/machine_options.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "harness/doctor/examine.hpp"
#include "harness/launch/job.hpp"
#include "harness/launch/smpi_machine.hpp"
#include "harness/session/look.hpp"

namespace breakeven::cli::doctor_command {

namespace {

constexpr Seconds kPatience{60};  // for a job to start and examine

struct Options {
  std::string machine;
  std::optional<int> procs;
  int nodes = 1;
  Mapping mapping{};
  launch::LauncherOptions launcher;
  std::string format = "text";
  bool report = false;
};

void check(const Options& options) {
  if (options.nodes < 1)
    throw UsageError(fmt::format("{} nodes asked for; 1 or more", options.nodes));
  if (options.procs && (*options.procs < 1 || *options.procs % options.nodes != 0)) {
    throw UsageError(
        fmt::format("{} processes on {} nodes asked for; as many on each node, 1 or more",
                    *options.procs, options.nodes));
  }
  launch::require_real_nodes(options.machine, "doctor");
  if (!options.machine.empty()) return;
  if (options.nodes > 1 || options.launcher.given()) {
    throw UsageError("without --machine this host alone is examined: no --nodes, no --launcher");
  }
}

doctor::Examination examine(const Options& options) {
  if (options.machine.empty()) return doctor::examine_here(options.procs.value_or(0));
  const launch::Library library = ready_library(options.machine, options.launcher);
  const protocol::JobInfo host =
      launch::probe(library, {.nodes = options.nodes}, kPatience).job_info;
  const int cores = std::max(1, host.cores / host.nodes_on_kernel);
  const int procs_per_node = options.procs ? *options.procs / options.nodes : cores;
  const NodeLayout layout{.procs = procs_per_node * options.nodes,
                          .nodes = options.nodes,
                          .procs_per_node = procs_per_node,
                          .mapping = options.mapping};
  return session::examine_job(library, launch::place_on(host, layout), kPatience);
}

std::string text_of(const Options& options, const doctor::Examination& found) {
  if (options.report) return doctor::report_markdown(found, about_text());
  if (options.format == "json") return doctor::report_json(found) + "\n";
  return doctor::report_text(found);
}

int run(const Options& options) {
  check(options);
  fmt::print("{}", text_of(options, examine(options)));
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--machine", options->machine, "the MPI library [none: this host, without MPI]")
      ->type_name("MACHINE");
  add(app, "--procs", options->procs, "processes of the job [one for each core]");
  add(app, "--nodes", options->nodes, "nodes of the job");
  add(app, "--mapping", options->mapping, "how ranks are placed on nodes, as in a sweep");
  add_launcher_options(app, options->launcher);
  CLI::Option* const format =
      add_choice(app, "--format", options->format, {"text", "json"}, "form of the findings");
  app.add_flag("--report", options->report,
               "print a report of a fault to paste, as Markdown: version, machine and findings, "
               "without names of hosts and users")
      ->excludes(format);
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::doctor_command

const breakeven::cli::Command breakeven::cli::kDoctor{
    .name = "doctor",
    .summary = "Find what disturbs measurements on this machine",
    .examples = R"(
Examines every node and all ranks of a job at once. Each finding states what was seen, its effect on
results and how to fix it. Facts that cannot be read are reported as unknown.
Exit status: 0 whatever the findings; 2 if the job cannot be started as requested.
Examples:
  breakeven doctor
  breakeven doctor --machine mpich
  breakeven doctor --machine mpich --report
  breakeven doctor --machine openmpi --procs 8 --format json
  breakeven doctor --machine mpich --procs 64 --nodes 2 \
                   --launcher-args "-f hosts")",
    .setup = doctor_command::setup};
