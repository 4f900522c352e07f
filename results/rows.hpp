// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Statement.h>

#include <string_view>

#include "core/case.hpp"

namespace breakeven::results {

/// The columns of a case are its fields, in their order.
inline constexpr auto kCaseFields = fields(std::type_identity<Case>{});
inline constexpr std::string_view kCaseColumns =
    "collective, algorithm, params, procs, nodes, procs_per_node, mapping, message_bytes, "
    "datatype, op, root, counts";
inline constexpr std::string_view kCaseParameters =
    "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12";
inline constexpr int kCaseWidth = std::tuple_size_v<decltype(kCaseFields)>;

/// Binds kCaseParameters.
void bind_case(SQLite::Statement& statement, const Case& what);

/// Reads the case that the first kCaseWidth columns of the current row hold.
/// @throws UsageError when a name in it is unknown to this program.
[[nodiscard]] Case read_case(const SQLite::Statement& row);

}  // namespace breakeven::results
