// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/plan/sweep.hpp"

namespace breakeven::cli {

/// One thing that a sweep lets its user choose: a flag of `breakeven sweep`, a key of a sweep file
/// and a line of what a database remembers, all in the same spelling.
struct Setting {
  std::string_view key;   ///< "case_budget_s"; the flag is --case-budget-s
  std::string_view help;  ///< with the possible values
  /// @throws UsageError naming what of `text` can't be read and what is possible.
  void (*set)(plan::Sweep& sweep, const std::string& text);
  std::string (*text)(const plan::Sweep& sweep);  ///< what `set` would take
};

[[nodiscard]] std::span<const Setting> settings();

/// What is measured when nothing else is said.
[[nodiscard]] plan::Sweep default_sweep();

/// Reads a sweep file on top of `sweep`: `key = value` in TOML, a value being a text, a number, a
/// truth value or a list of these.
/// @param name  of the file, for messages
/// @throws UsageError in one line naming file, line and what is possible.
[[nodiscard]] plan::Sweep parse_sweep(std::string_view toml, const std::string& name,
                                      plan::Sweep sweep = default_sweep());

/// The whole sweep as a file that parse_sweep reads.
[[nodiscard]] std::string to_toml(const plan::Sweep& sweep);

}  // namespace breakeven::cli
