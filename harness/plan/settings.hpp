// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/plan/sweep.hpp"

namespace breakeven::plan {

/// The group of options that are rarely needed.
inline constexpr const char* kRare = "Rarely needed";

/// One choice that a sweep offers its user: a flag of `breakeven sweep`, a key of a sweep file and
/// a line in a database, all in the same spelling.
struct Setting {
  std::string_view key;    ///< "case_budget_s"; the flag is --case-budget-s
  std::string_view help;   ///< its use, with the possible values
  const char* group = "";  ///< of options: their subject, or kRare
  std::string value{};     ///< the placeholder of its value in help
  /// @throws UsageError naming the part of `text` that can't be read and the possible values.
  void (*set)(Sweep& sweep, const std::string& text) = nullptr;
  std::string (*text)(const Sweep& sweep) = nullptr;  ///< in the form that `set` takes
};

[[nodiscard]] std::span<const Setting> settings();

/// The key of a setting as options spell it: "case-budget-s".
[[nodiscard]] std::string option_name(std::string_view key);
/// "--case-budget-s"
[[nodiscard]] std::string flag_of(const Setting& setting);

/// The sweep that is measured under no settings.
[[nodiscard]] Sweep default_sweep();

/// Reads a sweep file on top of `sweep`: `key = value` in TOML, a value being a text, a number, a
/// truth value or a list of these.
/// @param name  of the file, for messages
/// @throws UsageError in one line naming file, line and the possible values.
[[nodiscard]] Sweep parse_sweep(std::string_view toml, const std::string& name,
                                Sweep sweep = default_sweep());

/// The whole sweep as a file that parse_sweep reads.
[[nodiscard]] std::string to_toml(const Sweep& sweep);

}  // namespace breakeven::plan
