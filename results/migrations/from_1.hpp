// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <string_view>

namespace breakeven {

/// Brings the schema from version 1 to 2: a row for each sample becomes a blob for each
/// measurement, and measurements get the interval of their median. What version 1 didn't know is
/// then empty.
/// @throws SQLite::Exception; Error where a sample is no duration.
void migrate_from_1(SQLite::Database& database);

/// The text of results/migrations/from_1.sql: all of it but the samples.
[[nodiscard]] std::string_view tables_from_1();

}  // namespace breakeven
