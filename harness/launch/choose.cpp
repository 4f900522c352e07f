// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/choose.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "core/error.hpp"
#include "core/units.hpp"
#include "core/unknown.hpp"

namespace breakeven::launch {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSrun = "srun";

const Launcher* named(std::string_view library, std::string_view name) {
  for (const Launcher* launcher : launchers_of(library)) {
    const bool usual_srun = name == kSrun && launcher->program == kSrun;
    if (launcher->name == name || usual_srun) return launcher;
  }
  return nullptr;
}

/// The library's own launcher in the form that this program takes.
ChosenLauncher own(std::string_view library, const std::string& program) {
  const Launcher* launcher = &find_launcher(library);
  std::string found = program.empty() ? std::string{launcher->program} : program;
  if (found.empty()) {
    throw UsageError(fmt::format(
        "this breakeven was built without {}: `breakeven worker build --mpicc PATH` makes a worker "
        "for it, which --worker uses",
        library));
  }
  if (library == openmpi4.library &&
      is_prrte(output_of({.arguments = {found, "--version"}, .environment = {}}))) {
    launcher = &openmpi5;
  }
  return {.launcher = launcher, .program = std::move(found)};
}

/// srun, where a job can be started with it now.
ChosenLauncher in_slurm_allocation(std::string_view library) {
  const char* allocation = std::getenv("SLURM_JOB_ID");
  const Launcher* launcher = named(library, kSrun);
  if (allocation == nullptr || launcher == nullptr || !runnable(std::string{kSrun})) return {};
  const std::string_view pmi = launcher->name.substr(kSrun.size() + 1);
  const std::string known =
      output_of({.arguments = {std::string{kSrun}, "--mpi=list"}, .environment = {}});
  if (known.find(pmi) == std::string::npos) return {};
  return {
      .launcher = launcher,
      .program = std::string{kSrun},
      .why = fmt::format("inside Slurm job {}: jobs are started by srun --mpi={}; --launcher {} "
                         "would be {}'s own",
                         allocation, pmi, find_launcher(library).name, library)};
}

[[noreturn]] void refuse(std::string_view library, const std::string& word) {
  std::vector<std::string_view> known{kSrun};
  for (const Launcher* launcher : launchers_of(library)) known.push_back(launcher->name);
  throw UsageError(
      fmt::format("{} for machine '{}', each also as NAME=PROGRAM, or the program that "
                  "stands for its own mpiexec",
                  unknown("launcher", word, known), library));
}

}  // namespace

std::string output_of(const ChildProcess::Command& command) {
  constexpr Seconds kPatience{5};
  std::string words;
  try {
    ChildProcess process{command};
    process.close_input();
    while (process.next_line(kPatience) == ChildProcess::Wait::line) words += process.line() + " ";
    static_cast<void>(process.wait(kPatience));
    words += process.error_text();
  } catch (const UsageError&) {
    return "";  // a start of a job with it gives the reason
  }
  return words;
}

std::string path_of(const std::string& program) {
  const auto runs = [](const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
  };
  if (program.find('/') != std::string::npos) return runs(program) ? program : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (const fs::path file = fs::path(folder) / program; runs(file)) return file;
  }
  return "";
}

bool is_prrte(std::string_view version) {
  constexpr std::string_view kOpenMpi = "(Open MPI) ";
  const std::size_t at = version.find(kOpenMpi);
  if (at == std::string_view::npos) return version.find("PRRTE") != std::string_view::npos;
  std::string_view number = version.substr(at + kOpenMpi.size());
  return number_in<int>(take_part(number, '.')).value_or(0) >= 5;
}

ChosenLauncher choose_launcher(std::string_view library, const std::string& word,
                               const std::string& mpiexec) {
  static_cast<void>(find_launcher(library));  // refuses an unknown library
  if (word.empty()) {
    ChosenLauncher chosen = in_slurm_allocation(library);
    return chosen.launcher != nullptr ? chosen : own(library, mpiexec);
  }
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  if (const Launcher* launcher = named(library, name)) {
    if (equals != std::string::npos) {
      return {.launcher = launcher, .program = word.substr(equals + 1)};
    }
    const bool by_mpiexec = launcher->name == find_launcher(library).name && !mpiexec.empty();
    return {.launcher = launcher, .program = by_mpiexec ? mpiexec : std::string{launcher->program}};
  }
  if (word.find('/') == std::string::npos && !runnable(word)) refuse(library, word);
  const Launcher* by_program = named(library, fs::path{word}.filename().string());
  if (by_program != nullptr) return {.launcher = by_program, .program = word};
  return own(library, word);
}

}  // namespace breakeven::launch
