// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "harness/launch/job.hpp"

namespace CLI {
class App;
}

namespace breakeven::cli {

/// Adds --worker, --launcher and --launcher-args.
void add_launcher_options(CLI::App& app, launch::LauncherOptions& options);

/// The library as these options ask for it, ready to start jobs. Says on standard error when it
/// chose another launcher than the library's own.
/// @throws UsageError as find_library does.
[[nodiscard]] launch::Library ready_library(const std::string& machine,
                                            const launch::LauncherOptions& options);

}  // namespace breakeven::cli
