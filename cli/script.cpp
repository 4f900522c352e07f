// SPDX-License-Identifier: BSD-3-Clause
#include "cli/script.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/version.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven::cli {

namespace {

/// As installed, or of the source tree that was built.
std::filesystem::path scripts_folder() {
  namespace fs = std::filesystem;
  const fs::path installed = programs_folder().parent_path() / "share/breakeven/scripts";
  return fs::exists(installed) ? installed : fs::path{kSourceScripts};
}

}  // namespace

void run_script(std::string_view script, const std::vector<std::string>& arguments,
                std::string_view input) {
  std::vector<std::string> command{std::string{kPython}, scripts_folder() / script};
  command.insert(command.end(), arguments.begin(), arguments.end());
  launch::ChildProcess process{{.arguments = command, .environment = {}}};
  process.write(input);
  process.close_input();
  constexpr Seconds kPatience{300};
  while (process.next_line(kPatience) == launch::ChildProcess::Wait::line) {
    fmt::print("{}\n", process.line());
  }
  const std::string failure = process.wait(kPatience);
  if (failure.empty()) return;
  const std::string message = fmt::format("no plot: {}", process.error_text());
  if (failure == "exit status 2") throw UsageError(message);
  throw Error(message);
}

}  // namespace breakeven::cli
