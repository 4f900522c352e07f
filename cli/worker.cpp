// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <thread>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "harness/launch/choose.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/launch/paths.hpp"
#include "harness/launch/program.hpp"

namespace breakeven::cli::worker_command {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string mpicc;
  std::string folder = "breakeven-worker";
};

/// @throws UsageError when something is missing that the build needs, before it begins
void require_tools(const Options& options, const fs::path& sources) {
  if (!fs::exists(sources / "CMakeLists.txt")) {
    throw UsageError(
        fmt::format("no sources in '{}': install them too (Debian: breakeven-worker-source)",
                    sources.string()));
  }
  if (!launch::runnable("cmake")) {
    throw UsageError("no cmake in PATH: it builds the worker (Debian: cmake)");
  }
  if (!launch::runnable("ninja") && !launch::runnable("make")) {
    throw UsageError("neither ninja nor make in PATH: cmake builds by one of them");
  }
  const char* const named = std::getenv("CXX");
  const std::string compiler = named != nullptr && *named != '\0' ? named : "c++";
  if (!launch::runnable(compiler)) {
    throw UsageError(
        fmt::format("no C++ compiler '{}' in PATH; CXX names another (Debian: g++)", compiler));
  }
  if (!launch::runnable(options.mpicc)) {
    throw UsageError(fmt::format("--mpicc: no program '{}'", options.mpicc));
  }
}

void cmake(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "cmake");
  const launch::ChildProcess::Command command{.arguments = std::move(arguments)};
  const int status = launch::run_in_foreground(command);
  if (status == 0) return;
  throw UsageError(fmt::format("`{}` failed with exit status {}; its messages are above",
                               launch::to_text(command), status));
}

int build(const Options& options) {
  const fs::path sources = launch::sources_folder();
  require_tools(options, sources);
  const fs::path folder = fs::absolute(options.folder).lexically_normal();
  const fs::path build = folder / "build";
  cmake({"-S", sources, "-B", build, launch::runnable("ninja") ? "-GNinja" : "-GUnix Makefiles",
         "-DBREAKEVEN_WORKER_ONLY=ON", "-DBUILD_TESTING=OFF", "-DBREAKEVEN_MPICC=" + options.mpicc,
         "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG",
         "-DCMAKE_UNITY_BUILD=ON"});
  cmake({"--build", build, "--parallel", fmt::format("{}", std::thread::hardware_concurrency())});
  cmake({"--install", build, "--prefix", folder});
  std::error_code kept;
  fs::remove_all(build, kept);
  for (const launch::Launcher* launcher : {&launch::hydra, &launch::openmpi4}) {
    if (!fs::exists(folder / fmt::format("breakeven-worker-{}", launcher->library))) continue;
    fmt::print("wrote {}; use it with --machine {} --worker {}\n", folder.string(),
               launcher->library, launch::to_text({.arguments = {options.folder}}));
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  app.require_subcommand(1);
  const auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("build", "Build the worker for one MPI installation");
  add(*sub, "--mpicc", options->mpicc, "C compiler of the MPI library: /opt/mpich/bin/mpicc")
      ->required();
  add(*sub, "--out", options->folder, "folder for the worker and what it needs")
      ->type_name("FOLDER");
  return [options] { return build(*options); };
}

}  // namespace

}  // namespace breakeven::cli::worker_command

const breakeven::cli::Command breakeven::cli::kWorker{
    .name = "worker",
    .summary = "Build the program that measures, for another MPI installation",
    .examples = R"(
Compiles the installed sources with an MPI library of your own, in your own folder; --worker of the other
commands then names that folder. Needs cmake with ninja or make, pkg-config, a C++20 compiler, and the
headers of fmt, nlohmann-json, Boost and hwloc. CXX and CMAKE_PREFIX_PATH have their usual meaning.
Examples:
  breakeven worker build --mpicc ~/mpich-4.2.1/bin/mpicc --out ~/mpich-4.2.1/breakeven
  breakeven sweep --machine mpich --worker ~/mpich-4.2.1/breakeven --procs 2,4 --bytes 8:1M --db results.db)",
    .setup = worker_command::setup};
