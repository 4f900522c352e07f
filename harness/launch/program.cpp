// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/program.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/error.hpp"
#include "core/unknown.hpp"
#include "harness/launch/paths.hpp"

namespace breakeven::launch {

namespace {

/// Puts our library before those that the words of a command preload.
/// @param ours  "LD_PRELOAD=FILE", or another variable, which changes nothing
void add_preload(std::vector<std::string>& words, const std::string& ours) {
  constexpr std::string_view kPreload = "LD_PRELOAD";
  const std::size_t equals = ours.find('=');
  if (ours.substr(0, equals) != kPreload) return;
  const std::string value = ours.substr(equals + 1) + ':';
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t at = words[i].find("LD_PRELOAD=");
    if (at != std::string::npos &&
        (at == 0 || words[i][at - 1] == ',' || words[i][at - 1] == '=')) {
      words[i].insert(at + kPreload.size() + 1, value);
    } else if (words[i] == kPreload && words[i - 1].ends_with("env") && i + 1 < words.size()) {
      words[i + 1].insert(0, value);
    } else if (words[i] == kPreload && words[i - 1] == "-x") {
      words[i] = ours;
    }
  }
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

/// Runs the command in the child, as a shell would.
[[noreturn]] void become(const ChildProcess::Command& command, bool quiet) {
  for (const std::string& variable : command.environment) {
    const std::size_t equals = variable.find('=');
    setenv(variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
  }
  std::vector<std::string> arguments = command.arguments;
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  for (const int ours : {SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ}) std::signal(ours, SIG_DFL);
  if (quiet && (std::freopen("/dev/null", "w", stdout) == nullptr ||
                std::freopen("/dev/null", "r", stdin) == nullptr)) {
    _exit(127);
  }
  execvp(argv.front(), argv.data());
  std::fprintf(stderr, "breakeven: can't start '%s': %s\n", argv.front(), std::strerror(errno));
  _exit(127);
}

}  // namespace

bool is_mpiexec(const std::string& program) {
  constexpr std::array kNames{"mpiexec", "mpirun", "orterun", "prterun"};
  const std::string name = std::filesystem::path{program}.filename();
  return std::ranges::any_of(kNames, [&](const char* each) { return name.starts_with(each); });
}

bool is_launcher(const std::string& program) {
  const std::string name = std::filesystem::path{program}.filename();
  return is_mpiexec(program) || name == "srun" || name == "flux";
}

ChildProcess::Command with_environment(std::vector<std::string> command, std::string_view library,
                                       const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) add_preload(command, variable);
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
  // Open MPI's options hold for one part of a job of several programs, which colons separate.
  std::vector<std::string> arguments;
  for (std::string& word : command) {
    const bool begins = arguments.empty() || (library == "openmpi" && word == ":");
    arguments.push_back(std::move(word));
    if (begins) arguments.insert(arguments.end(), options.begin(), options.end());
  }
  return {.arguments = std::move(arguments)};
}

std::filesystem::path preload_library(std::string_view library) {
  if (library != "mpich" && library != "openmpi") {
    throw UsageError(unknown("MPI library", library, {"mpich", "openmpi"}));
  }
  const std::string name = fmt::format("libbreakeven-{}.so", library);
  const std::filesystem::path folder = libraries_folder();
  if (std::filesystem::exists(folder / name)) return folder / name;
  throw UsageError(
      fmt::format("no {} in {}: was breakeven built with {}, and is that part installed?", name,
                  folder.string(), library));
}

int run_in_foreground(const ChildProcess::Command& command, bool quiet,
                      const std::function<void()>& started) {
  const TerminalSignals left_to_the_child;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(fmt::format("can't start a process: {}", std::strerror(errno)));
  if (child == 0) become(command, quiet);
  if (started) started();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace breakeven::launch
