// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <set>
#include <vector>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "harness/launch/job.hpp"
#include "harness/launch/paths.hpp"
#include "sim/machine_file.hpp"

namespace breakeven::cli::machines_command {

namespace {

namespace fs = std::filesystem;

/// Prints the folder's machine files; other TOML files, such as sweep files, are passed over.
void print_files(const fs::path& folder) {
  std::set<fs::path> files;
  for (const fs::directory_entry& each : fs::directory_iterator{folder}) {
    if (each.path().extension() == ".toml") files.insert(each.path());
  }
  fmt::print("Machine files, by --machine FILE.toml; `breakeven fit` writes them:\n");
  for (const fs::path& file : files) {
    try {
      const sim::MachineDescription machine = sim::read_machine_file(file);
      const sim::Origin& origin = machine.origin;
      std::vector<std::string_view> words{machine.general.machine.model()};
      for (const std::string* const each :
           {&origin.library, &origin.layout, &origin.source, &origin.date}) {
        if (!each->empty()) words.push_back(*each);
      }
      fmt::print("  {:<20} {}\n", file.filename().string(), fmt::join(words, ", "));
    } catch (const UsageError&) {
      continue;
    }
  }
}

int run(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw UsageError(fmt::format("no folder '{}'", folder.string()));
  }
  for (const launch::Launcher* launcher : launch::launchers()) {
    std::string state = "ready";
    try {
      static_cast<void>(launch::find_library(launcher->library, launch::workers_folder(), {}));
    } catch (const UsageError& error) {
      state = error.what();
    }
    fmt::print("{:<10} {:<20} {:<28} {}\n", launcher->library, launcher->product, launcher->program,
               state);
  }
  if (launch::launchers().empty()) {
    fmt::print("no MPI library: this build found none, so it can measure models only\n");
  }
  fmt::print("\nModels, by --machine MODEL:KEY=VALUE,...; ,noise=0.02,seed=1 adds seeded noise:\n");
  for (const std::string_view name : sim::model_names()) {
    fmt::print("  {}\n", sim::form_of(name));
  }
  print_files(folder);
  fmt::print("smpi needs a platform: --machine smpi:PLATFORM.xml[,hosts=8][,mapping=rr]\n");
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto folder = std::make_shared<std::string>(".");
  add(app, "FOLDER", *folder, "where to look for machine files");
  return [folder] { return run(*folder); };
}

}  // namespace

}  // namespace breakeven::cli::machines_command

const breakeven::cli::Command breakeven::cli::kMachines{
    .name = "machines",
    .summary = "List the machines to measure: MPI libraries found, cost models, machine files",
    .examples = "\nExample:\n  breakeven machines",
    .setup = machines_command::setup};
