// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <string_view>

namespace breakeven {

/// Brings the schema from version 2 to 3: two tables for what the MPI library has itself, empty
/// until the machine is measured again.
/// @throws SQLite::Exception.
void migrate_from_2(SQLite::Database& database);

/// The text of results/migrations/from_2.sql.
[[nodiscard]] std::string_view tables_from_2();

}  // namespace breakeven
