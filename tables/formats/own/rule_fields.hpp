// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "tables/table.hpp"

namespace breakeven::formats {

/// A rule as files of our own have it, with every member: an object of numbers, texts, truth values
/// and null for what is not known.
[[nodiscard]] Json rule_json(const tables::Rule& rule);
/// @throws Json::exception, UsageError where it is no rule.
[[nodiscard]] tables::Rule rule_in(const Json& json);

/// The names of its members, in their order.
[[nodiscard]] std::vector<std::string> rule_columns();
/// The rule of a cell for each column; texts without quotation marks, null as an empty cell.
/// @throws UsageError where it is no rule.
[[nodiscard]] tables::Rule rule_in_cells(std::span<const std::string> cells);

/// The table that has these rules, with their data type, operation and root; no rule, no table.
/// @throws UsageError when they differ in these.
[[nodiscard]] tables::Table table_of(tables::Candidates candidates,
                                     std::vector<tables::Rule> rules);

/// The fault of a rule behind another one (null: of the first); nothing when all is well.
[[nodiscard]] std::optional<std::string> rule_fault(const tables::Rule* before,
                                                    const tables::Rule& rule);

}  // namespace breakeven::formats
