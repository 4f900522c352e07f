// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "harness/session/run_sweep.hpp"

namespace CLI {
class App;
}

namespace breakeven::cli {

struct Setting;

/// What the command line of a sweep says.
struct SweepOptions {
  std::string sweep_file{};
  std::map<std::string_view, std::string> given{};  ///< settings by key, from flags
  std::string budget{};                             ///< "2h"
  bool dry_run = false;
  session::SweepRequest request{};  ///< all but its sweep and its budget
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

/// "--case-budget-s"
[[nodiscard]] std::string flag_of(const Setting& setting);

}  // namespace breakeven::cli
