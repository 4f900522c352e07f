// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/sweep_options.hpp"
#include "cli/sweep_result.hpp"
#include "harness/session/outlook.hpp"
#include "results/store.hpp"

namespace breakeven::cli::sweep_command {

namespace {

void print_result(const session::SweepRequest& request, results::MachineId machine) {
  const results::Store store{request.database, results::Store::Access::read};
  const std::string text = result_text(request.sweep, store.measurements(machine));
  if (text.empty()) return;
  fmt::print("{}All candidates: breakeven show --db {}", text, request.database);
  if (store.machines().size() > 1) {
    fmt::print(" --machine {}", static_cast<std::int64_t>(machine));
  }
  fmt::print("\n");
  if (const std::string left_out = session::left_out_line(request.sweep); !left_out.empty())
    fmt::print("{}\n", left_out);
}

int run(const SweepOptions& options) {
  const session::SweepRequest request = asked_request(options);
  Progress progress{0};
  if (options.dry_run) {
    const std::vector<std::string> lines = session::dry_run(request, progress);
    progress.clear();
    for (const std::string& line : lines) fmt::print("{}\n", line);
    return 0;
  }
  const session::SweepSummary summary = session::run_sweep(request, progress);
  progress.clear();
  fmt::print("{}: {} measured, {} failed, {} stored before\n", request.database, summary.measured,
             summary.failed, summary.stored_before);
  if (summary.failed_before > 0) {
    fmt::print("{} failed before; --retry-failed measures them again\n", summary.failed_before);
  }
  print_result(request, summary.machine);
  if (!summary.ended.empty()) fmt::print("{}\n", summary.ended);
  if (summary.too_short) {
    fmt::print("{}\n", *summary.over);
    return 2;
  }
  if (summary.over) {
    fmt::print("{} Run the same command to continue.\n", *summary.over);
    return kEndedEarly;
  }
  return summary.failed + summary.failed_before == 0 ? 0 : 1;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<SweepOptions>();
  add_file(app, "--db", options->request.database,
           "results database, one SQLite file for all results, created if missing")
      ->required();
  app.add_flag("--dry-run", options->dry_run,
               "only print what would be measured and how long it probably takes");
  add_sweep_options(app, *options);
  return [options] { return run(*options); };
}

}  // namespace

}  // namespace breakeven::cli::sweep_command

const breakeven::cli::Command breakeven::cli::kSweep{
    .name = "sweep",
    .summary =
        "Measure algorithms at each process count and size; the same command resumes a sweep",
    .examples = R"(
After a kill at any instant the database holds every finished case; the same command resumes.
Examples:
  breakeven sweep --machine mpich --procs 2,3,4 --bytes 8:1M --db results.db
  breakeven sweep --machine openmpi --collectives allreduce --algorithms native,ring \
                  --procs 2 --bytes 8:64K --launches 5 --db results.db
  breakeven sweep --machine postal:alpha=1e-6,beta=1e-9,gamma=1e-10 --procs 2:64 \
                  --bytes 8:8M --db model.db
  breakeven sweep --machine smpi:platform.xml,hosts=8,mapping=rr --procs 64 --bytes 8K:4M \
                  --collectives allreduce --db simulated.db
  breakeven sweep --machine mpich --procs 4 --bytes 8:1M --refine --db results.db
  breakeven sweep --machine mpich --procs 64 --budget 10min --dry-run --db results.db
  breakeven sweep sweep.toml --db results.db
  breakeven sweep sweep.toml --db shard2.db --shard 2/8 --budget 2h
A sweep file:
  machine = "mpich"
  procs = [2, 4, 8]
  bytes = "8:1M"
  collectives = ["allreduce", "reduce"]
Exit status: 1 if cases failed (the database records why); 4 if it ended before everything was
measured, on a signal or at the end of its budget; 2 if the budget is too short for anything.)",
    .setup = sweep_command::setup};
