// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/plan/sweep.hpp"

namespace breakeven::plan {

/// The group of options that are rarely needed.
inline constexpr const char* kRare = "Rarely needed";

/// One thing that a sweep lets its user choose: a flag of `breakeven sweep`, a key of a sweep file
/// and a line of what a database remembers, all in the same spelling.
struct Setting {
  std::string_view key;    ///< "case_budget_s"; the flag is --case-budget-s
  std::string_view help;   ///< what it is good for, with the possible values
  const char* group = "";  ///< of options: what it is about, or kRare
  std::string value{};     ///< what stands for its value in help
  /// @throws UsageError naming what of `text` can't be read and what is possible.
  void (*set)(Sweep& sweep, const std::string& text) = nullptr;
  std::string (*text)(const Sweep& sweep) = nullptr;  ///< what `set` would take
};

[[nodiscard]] std::span<const Setting> settings();

/// "--case-budget-s"
[[nodiscard]] std::string flag_of(const Setting& setting);

/// What is measured when nothing else is said.
[[nodiscard]] Sweep default_sweep();

/// Reads a sweep file on top of `sweep`: `key = value` in TOML, a value being a text, a number, a
/// truth value or a list of these.
/// @param name  of the file, for messages
/// @throws UsageError in one line naming file, line and what is possible.
[[nodiscard]] Sweep parse_sweep(std::string_view toml, const std::string& name,
                                Sweep sweep = default_sweep());

/// The whole sweep as a file that parse_sweep reads.
[[nodiscard]] std::string to_toml(const Sweep& sweep);

}  // namespace breakeven::plan
