// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/session/run_sweep.hpp"

namespace CLI {
class App;
}

namespace breakeven::cli {

/// The command line of a sweep.
struct SweepOptions {
  std::string sweep_file{};
  std::map<std::string_view, std::string> given{};  ///< settings by key, from flags
  bool dry_run = false;
  session::SweepRequest request{};  ///< all but its sweep
};

/// Adds all options but --db.
void add_sweep_options(CLI::App& app, SweepOptions& options);

/// Adds only the settings of these keys.
void add_settings(CLI::App& app, SweepOptions& options, std::span<const std::string_view> keys);

/// The settings of the sweep file, then those of the flags on top.
/// @throws UsageError naming the flag or the file's line, and what is possible.
[[nodiscard]] plan::Sweep asked_sweep(const SweepOptions& options);

/// The whole request.
/// @throws UsageError as asked_sweep does.
[[nodiscard]] session::SweepRequest asked_request(const SweepOptions& options);

/// Reads the words after -- of `breakeven submit` as options of `breakeven sweep`; --db may be left
/// out.
/// @throws UsageError when they are no options of a sweep, or have the budget, which is the job's.
[[nodiscard]] SweepOptions parse_sweep_arguments(const std::vector<std::string>& words);

/// The options that make `breakeven sweep` measure this sweep as `given` says, without defaults and
/// without --db, --shard and --budget.
[[nodiscard]] std::vector<std::string> sweep_arguments(const plan::Sweep& sweep,
                                                       const SweepOptions& given);

}  // namespace breakeven::cli
