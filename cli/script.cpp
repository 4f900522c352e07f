// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "harness/launch/child_process.hpp"
#include "harness/launch/paths.hpp"

namespace breakeven::cli {

void run_script(std::string_view script, const std::vector<std::string>& arguments,
                std::string_view input) {
  std::vector<std::string> command{std::string{kPython}, launch::scripts_folder() / script};
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
  const std::string words = process.error_text();
  const std::string message = fmt::format("no plot: {}", words.empty() ? failure : words);
  if (failure == "exit status 2") throw UsageError(message);
  throw Error(message);
}

}  // namespace breakeven::cli
