// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/program.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/launch/paths.hpp"

namespace breakeven::launch {

namespace {

/// "mpiexec", "mpirun.openmpi", "/opt/bin/mpiexec.hydra"
bool is_mpiexec(const std::string& program) {
  const std::string name = std::filesystem::path{program}.filename();
  constexpr std::array kNames{"mpiexec", "mpirun", "orterun", "prterun"};
  return std::ranges::any_of(kNames, [&](const char* each) { return name.starts_with(each); });
}

/// While it lives, this process leaves signals from the terminal to its child.
class TerminalSignals {
 public:
  TerminalSignals()
      : interrupt_{std::signal(SIGINT, SIG_IGN)}, quit_{std::signal(SIGQUIT, SIG_IGN)} {}
  ~TerminalSignals() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;

 private:
  void (*interrupt_)(int);
  void (*quit_)(int);
};

pid_t spawn(const ChildProcess::Command& command) {
  std::vector<std::string> arguments = command.arguments;
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  for (const std::string& variable : command.environment) {
    const std::size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  sigset_t usual{};
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv.front(), nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) return child;
  throw UsageError(
      fmt::format("can't start '{}': {}", command.arguments.front(), std::strerror(error)));
}

}  // namespace

ChildProcess::Command with_environment(std::vector<std::string> command, std::string_view library,
                                       const std::vector<std::string>& variables) {
  if (!is_mpiexec(command.front())) {
    return {.arguments = std::move(command), .environment = variables};
  }
  std::vector<std::string> options;
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (library == "openmpi") {
      options.insert(options.end(), {"-x", variable});
    } else {
      options.insert(options.end(),
                     {"-genv", variable.substr(0, equals), variable.substr(equals + 1)});
    }
  }
  command.insert(std::next(command.begin()), options.begin(), options.end());
  return {.arguments = std::move(command)};
}

std::filesystem::path preload_library(std::string_view library) {
  const std::string name = fmt::format("libbreakeven-{}.so", library);
  const std::filesystem::path programs = programs_folder();
  for (const std::filesystem::path& folder : {programs, programs.parent_path() / kLibraries}) {
    if (std::filesystem::exists(folder / name)) return folder / name;
  }
  throw UsageError(fmt::format("no {} in {} or {}: was breakeven built with {}?", name,
                               programs.string(), (programs.parent_path() / kLibraries).string(),
                               library));
}

int run_in_foreground(const ChildProcess::Command& command) {
  const TerminalSignals left_to_the_child;
  const pid_t child = spawn(command);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace breakeven::launch
