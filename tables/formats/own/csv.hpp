// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "tables/formats/common/emitted.hpp"
#include "tables/formats/own/json.hpp"
#include "tables/provenance.hpp"
#include "tables/table.hpp"

namespace breakeven::formats {

/// The table as comma-separated values, for spreadsheets and data frames: a row for each rule,
/// with units in the columns' names, behind a head of lines that begin with '#'.
[[nodiscard]] Emitted csv(const tables::Table& table, const tables::Provenance& provenance);

/// The line with the columns' names.
[[nodiscard]] std::string csv_columns();

/// All that the rows say, and where the head says that they come from.
[[nodiscard]] ReadKept read_kept_csv(std::string_view text);
[[nodiscard]] ReadTable read_csv(std::string_view text);
/// Whether a text has the columns.
[[nodiscard]] bool is_csv(std::string_view text);

}  // namespace breakeven::formats
