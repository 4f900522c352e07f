// SPDX-License-Identifier: BSD-3-Clause
#include "cli/script.hpp"

#include <fmt/format.h>

#include "cli/files.hpp"
#include "cli/version.hpp"
#include "core/error.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven {

void run_script(std::string_view script, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{std::string{kPython}, scripts_folder() / script};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ChildProcess process{{.arguments = command, .environment = {}}};
  process.close_input();
  constexpr Seconds kPatience{300};
  while (process.next_line(kPatience) == ChildProcess::Wait::line) {
    fmt::print("{}\n", process.line());
  }
  const std::string failure = process.wait(kPatience);
  if (failure.empty()) return;
  const std::string message = fmt::format("no plot: {}", process.last_words());
  if (failure == "exit status 2") throw UsageError(message);
  throw Error(message);
}

}  // namespace breakeven
