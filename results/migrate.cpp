// SPDX-License-Identifier: BSD-3-Clause
#include "results/migrate.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "core/error.hpp"

namespace breakeven {

namespace {

/// Uses a connection of its own: SQLite copies nothing over one that has begun
/// to write.
void back_up(const std::filesystem::path& file, int version) {
  const std::string backup = fmt::format("{}.v{}.backup", file.string(), version);
  SQLite::Database(file, SQLite::OPEN_READONLY).backup(backup.c_str(), SQLite::Database::Save);
}

}  // namespace

int schema_version(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt();
}

void migrate(SQLite::Database& database, const std::filesystem::path& file,
             std::span<const Migration> steps) {
  const int current = static_cast<int>(steps.size()) + 1;
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  const int version = schema_version(database);
  if (version >= current) return;
  try {
    back_up(file, version);
    for (int step = version; step < current; ++step) {
      steps[static_cast<std::size_t>(step) - 1](database);
    }
    database.exec(fmt::format("PRAGMA user_version = {}", current));
    transaction.commit();
  } catch (const std::runtime_error& error) {
    throw Error(
        fmt::format("'{}' can't be brought from schema version {} to "
                    "{}: {}; it is as it was",
                    file.string(), version, current, error.what()));
  }
}

}  // namespace breakeven
