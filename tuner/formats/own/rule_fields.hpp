// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tuner/table.hpp"

namespace breakeven::formats {

/// A field of a rule, as files of our own have it: a column, or a key.
struct RuleField {
  std::string_view name;                          ///< with its unit
  bool is_text;                                   ///< else a number, or nothing
  std::string (*write)(const tuner::Rule& rule);  ///< empty: nothing
  /// @throws UsageError when the text is not of such a field
  void (*read)(tuner::Rule& rule, std::string_view text);
};

/// All of them; with them a rule is whole.
[[nodiscard]] std::span<const RuleField> rule_fields();

/// The table that has these rules, with their data type, operation and root; no rule, no table.
/// @throws UsageError when they differ in these.
[[nodiscard]] tuner::Table table_of(tuner::Candidates candidates, std::vector<tuner::Rule> rules);

/// What is wrong with a rule behind another one (null: with the first); nothing when all is well.
[[nodiscard]] std::optional<std::string> rule_fault(const tuner::Rule* before,
                                                    const tuner::Rule& rule);

}  // namespace breakeven::formats
