// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/database.hpp"
#include "harness/launch/job.hpp"
#include "sim/machine_file.hpp"
#include "tuner/agreement.hpp"

namespace CLI {
class App;
}

namespace breakeven::cli {

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

/// What --machine names where only a model without noise will do: a model, whose text is its name
/// then, or a machine file.
/// @throws UsageError saying what is possible.
[[nodiscard]] sim::MachineDescription model_of(const std::string& machine);

/// How well a model, or a machine file, predicts these measurements of a machine. Predictions that
/// the database holds are not computed again.
/// @throws UsageError when there is no such model, or when it can predict none of them.
[[nodiscard]] tuner::Agreements agreements_of(const std::string& model, const Selection& from,
                                              const std::vector<Measurement>& measurements);

}  // namespace breakeven::cli
