// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "harness/launch/job.hpp"

namespace CLI {
class App;
}

namespace breakeven {

/// How jobs shall be started.
struct LauncherOptions {
  std::string launcher{};                ///< as choose_launcher takes it
  std::vector<std::string> arguments{};  ///< as describe_library takes them
  [[nodiscard]] bool given() const { return !launcher.empty() || !arguments.empty(); }
};

/// Adds --launcher and --launcher-args.
void add_launcher_options(CLI::App& app, LauncherOptions& options);

/// The library as these options ask for it, ready to start jobs. Says on standard error when it
/// chose another launcher than the library's own.
/// @throws UsageError as find_library does.
[[nodiscard]] Library ready_library(const std::string& machine, const LauncherOptions& options);

}  // namespace breakeven
