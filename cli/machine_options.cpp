// SPDX-License-Identifier: BSD-3-Clause
#include "cli/machine_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/error.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/launch/paths.hpp"
#include "harness/plan/model.hpp"
#include "harness/plan/predictor.hpp"

namespace breakeven::cli {

void add_launcher_options(CLI::App& app, launch::LauncherOptions& options) {
  app.add_option("--worker", options.worker,
                 "folder of `breakeven worker build`, for another MPI installation [the workers "
                 "that were installed]");
  app.add_option("--launcher", options.launcher,
                 "program that starts MPI jobs: hydra, openmpi4, openmpi5, srun, srun-pmi2, "
                 "srun-pmix, pbs, flux, each also as NAME=PROGRAM; or the path of an mpiexec [srun "
                 "inside a Slurm allocation, else the library's mpiexec]");
  app.add_option("--launcher-args", options.arguments,
                 "arguments of the launcher: --launcher-args \"-f hosts\"")
      ->allow_extra_args(false);
}

launch::Library ready_library(const std::string& machine, const launch::LauncherOptions& options) {
  launch::Library library = launch::find_library(machine, launch::workers_folder(), options);
  if (!library.why.empty()) fmt::print(stderr, "{}\n", library.why);
  return library;
}

sim::MachineDescription model_of(const std::string& machine) {
  if (!launch::launchers_of(machine).empty()) {
    throw UsageError(
        fmt::format("{} is a library, which is measured; `breakeven fit --machine {} --procs 4 "
                    "--out here.toml` makes a model of it",
                    machine, machine));
  }
  sim::MachineDescription found = plan::parse_exact_model(machine);
  found.name = plan::to_text(plan::Model{.machine = found});
  return found;
}

tuner::Agreements agreements_of(const std::string& model, const Selection& from,
                                const std::vector<Measurement>& measurements) {
  const std::string text = plan::content_of(model);
  plan::Predictor predictor{plan::parse_exact_model(text)};
  Predictions predictions = from.store.predictions(from.id, text);
  for (const Measurement& each : measurements) {
    if (predictions.contains(each.what)) continue;
    if (const auto prediction = predictor.predict(each.what))
      predictions.emplace(each.what, *prediction);
  }
  tuner::Agreements found = tuner::agreements(predictions, tuner::contests_of(measurements));
  if (!found.cases.empty()) return found;
  throw UsageError(
      fmt::format("'{}' predicts nothing of what was measured on {}: no algorithm of ours was, nor "
                  "one that the library has, too",
                  model, from.machine.name));
}

}  // namespace breakeven::cli
