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

/// What the command line of a sweep says.
struct SweepOptions {
  std::string sweep_file{};
  std::map<std::string_view, std::string> given{};  ///< settings by key, from flags
  bool dry_run = false;
  session::SweepRequest request{};  ///< all but its sweep
};

/// Adds them all but --db.
void add_sweep_options(CLI::App& app, SweepOptions& options);

/// Adds only the settings of these keys.
void add_settings(CLI::App& app, SweepOptions& options, std::span<const std::string_view> keys);

/// The settings of the sweep file, then those of the flags on top.
/// @throws UsageError naming the flag or the file's line, and what is possible.
[[nodiscard]] plan::Sweep asked_sweep(const SweepOptions& options);

/// The whole request.
/// @throws UsageError as asked_sweep does.
[[nodiscard]] session::SweepRequest asked_request(const SweepOptions& options);

/// What stands after -- of `breakeven submit`, read as `breakeven sweep` would; --db may be left
/// out.
/// @throws UsageError when it can't be read so, or says what the job itself says: the budget.
[[nodiscard]] SweepOptions parse_sweep_arguments(const std::vector<std::string>& words);

/// The options that make `breakeven sweep` measure this sweep as `given` has it measured: all but
/// what is left to its defaults, and but --db, --shard and --budget.
[[nodiscard]] std::vector<std::string> sweep_arguments(const plan::Sweep& sweep,
                                                       const SweepOptions& given);

}  // namespace breakeven::cli
