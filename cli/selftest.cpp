// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/job.hpp"
#include "harness/launch/paths.hpp"

namespace breakeven::cli::selftest_command {

namespace {

namespace fs = std::filesystem;
using launch::ChildProcess;

/// A temporary folder as the current one, gone at the end, also after an error or a signal.
class Workplace {
 public:
  Workplace() : before_{fs::current_path()} {
    const char* const place = std::getenv("TMPDIR");
    std::string name =
        fmt::format("{}/breakeven_selftest_XXXXXX", place == nullptr ? "/tmp" : place);
    if (mkdtemp(name.data()) == nullptr) {
      throw UsageError(fmt::format("can't make '{}'; TMPDIR names another folder", name));
    }
    fs::current_path(name);
  }
  ~Workplace() {
    std::error_code kept;
    const fs::path folder = fs::current_path(kept);
    fs::current_path(before_, kept);
    fs::remove_all(folder, kept);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

 private:
  fs::path before_;
};

/// Runs one of our commands.
/// @return why it failed; empty: it did not
std::string failure_of(const std::string& command,
                       const std::vector<std::string>& environment = {}) {
  std::vector<std::string> words = launch::split_words(command);
  words.insert(words.begin(), programs_folder() / "breakeven");
  ChildProcess process{{.arguments = std::move(words), .environment = environment}};
  process.close_input();
  while (process.next_line(Seconds{0.1}) != ChildProcess::Wait::closed) {
    if (const auto ending = launch::over_by_signal()) throw Error(ending->why);
  }
  const std::string failure = process.wait(Seconds{60});
  return failure.empty() ? "" : fmt::format("{}: {}", failure, process.error_text());
}

/// The library, ready to start jobs; nothing, and a line, where a part of it is missing.
std::optional<launch::Library> library_of(std::string_view name) {
  try {
    return launch::find_library(name, launch::workers_folder(), {});
  } catch (const UsageError& error) {
    fmt::print("{}: not tested: {}\n", name, error.what());
    return std::nullopt;
  }
}

/// Prints a line about a machine.
/// @param library  null: a model, for which no program runs
/// @return whether all steps passed
bool passes(const std::string& machine, const launch::Library* library) {
  const Workplace workplace;
  ChildProcess::Command job;
  std::vector<std::pair<std::string_view, std::string>> steps{
      {"sweep", fmt::format("sweep --machine {} --procs 2 --bytes 8,64K --collectives allreduce "
                            "--launches 3 --case-budget-s 0.02 --no-doctor --db results.db",
                            machine)},
      {"tables", "tune --db results.db --out tables"},
      {"tables read back", "tables lint tables"}};
  if (library != nullptr) {
    job = launch::job_command(
        *library, {{.procs = 2, .procs_per_node = 2}, std::thread::hardware_concurrency() < 2});
    steps.emplace_back("program with them", "run --strict --tables tables -- " +
                                                launch::to_text({.arguments = job.arguments}));
  }
  std::string passed;
  for (const auto& [name, command] : steps) {
    if (const std::string failure = failure_of(command, job.environment); !failure.empty()) {
      fmt::print("{}: failed: {}\n  breakeven {}\n  {}\n", machine, name, command, failure);
      return false;
    }
    passed += fmt::format("{}{}", passed.empty() ? "" : ", ", name);
  }
  fmt::print("{}: passed: {}\n", machine, passed);
  return true;
}

int run() {
  launch::remember_interrupts();
  bool found = false;
  bool sound = true;
  for (const launch::Launcher* launcher : launch::launchers()) {
    if (launcher == &launch::smpi) continue;  // needs a platform
    if (const auto library = library_of(launcher->library)) {
      found = true;
      sound = passes(std::string{launcher->library}, &*library) && sound;
    }
  }
  if (!found) sound = passes("postal:alpha=1e-6,beta=1e-9,gamma=1e-10", nullptr);
  return sound ? 0 : 1;
}

std::function<int()> setup(CLI::App& /*app*/) { return run; }

}  // namespace

}  // namespace breakeven::cli::selftest_command

const breakeven::cli::Command breakeven::cli::kSelftest{
    .name = "selftest",
    .summary = "Test this installation, in less than a minute",
    .examples = R"(
Sweeps allreduce at p = 2 with each MPI library whose launcher and worker are there, makes tables,
reads them back, also by the library, and runs a program with them. Without a library it tests a
model. All files are in a temporary folder (TMPDIR), which is removed.
Exit status: 0 if all that is there passes; 1 otherwise, with the command that failed.
Example:
  breakeven selftest)",
    .setup = selftest_command::setup};
