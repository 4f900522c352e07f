// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <array>
#include <filesystem>
#include <span>

#include "results/migrations/from_1.hpp"
#include "results/migrations/from_2.hpp"

namespace breakeven {

/// Brings the schema from one version to the next, within the transaction that is open.
using Migration = void (*)(SQLite::Database&);

/// The step at index n - 1 leads from version n to n + 1.
inline constexpr std::array<Migration, 2> kMigrations{migrate_from_1, migrate_from_2};

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
             std::span<const Migration> steps);

}  // namespace breakeven
