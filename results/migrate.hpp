// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <filesystem>
#include <span>
#include <string_view>

namespace breakeven {

/// The SQL script at index n - 1 brings the schema from version n to n + 1.
inline constexpr std::array<std::string_view, 0> kMigrations{};

/// The version that results/schema.sql makes, and to which the migrations lead.
inline constexpr int kSchemaVersion = static_cast<int>(kMigrations.size()) + 1;

/// The schema version of an open database; 0 for an empty one.
[[nodiscard]] int schema_version(SQLite::Database& database);

/// Runs the steps that the database at `file` lacks, all in one transaction,
/// after copying it to
/// `<file>.v<its version>.backup`. Does nothing when it lacks none.
/// @throws Error when a step fails: the file is then as it was, and the copy
/// stays beside it.
void migrate(SQLite::Database& database, const std::filesystem::path& file,
             std::span<const std::string_view> steps);

}  // namespace breakeven
