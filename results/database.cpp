// SPDX-License-Identifier: BSD-3-Clause
#include "results/database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <string>
#include <system_error>

#include "core/error.hpp"
#include "results/claim.hpp"

namespace breakeven::results {

namespace fs = std::filesystem;

namespace {

constexpr unsigned long kApplicationId = 0x424b4556;  // "BKEV", as in results/schema.sql

[[noreturn]] void refuse(const fs::path& file, std::string_view why) {
  throw UsageError(fmt::format("'{}' is not a results database: {}", file.string(), why));
}

/// Reads the header of an SQLite file without SQLite, which would begin to repair the file.
SQLite::Header header_of(const fs::path& file) {
  try {
    return SQLite::Database::getHeaderInfo(file.string());
  } catch (const SQLite::Exception& error) {
    refuse(file, fmt::format("it can't be read as an SQLite file ({})", error.what()));
  }
}

SQLite::Database connect(const fs::path& file, int flags, Seconds patience) {
  // SQLite takes some relative names for something else than a file: ":memory:".
  SQLite::Database database(fs::absolute(file), flags, static_cast<int>(patience.value * 1000));
  require_locks(file);
  database.exec("PRAGMA foreign_keys = ON");
  return database;
}

/// Makes the tables of an empty database, or tries to write an existing one.
void create_or_touch(SQLite::Database& database) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  if (version == 0) {
    database.exec(std::string(schema()));
    transaction.commit();
  } else {
    database.exec(fmt::format("PRAGMA user_version = {}", version));  // and is rolled back
  }
}

void remove_if_empty(const fs::path& file) {
  std::error_code ignored;
  if (fs::file_size(file, ignored) == 0) fs::remove(file, ignored);
}

}  // namespace

std::string_view sqlite_version() { return SQLite::getLibVersion(); }

bool has_results(const fs::path& file) {
  if (!file.has_filename()) refuse(file, "the path names no file");
  std::error_code error;
  const fs::file_type type = fs::status(file, error).type();
  if (type == fs::file_type::not_found) return false;
  if (error) refuse(file, error.message());
  if (type != fs::file_type::regular) refuse(file, "it is a folder or a device, not a file");
  if (fs::file_size(file, error) == 0) return false;
  const SQLite::Header header = header_of(file);
  if (header.applicationId != kApplicationId) refuse(file, "another program made this SQLite file");
  if (header.userVersion == kSchemaVersion) return true;
  throw UsageError(
      fmt::format("'{}' has schema version {}, but this program reads and writes version {} alone",
                  file.string(), header.userVersion, kSchemaVersion));
}

SQLite::Database open_to_read(const fs::path& file, Seconds patience) {
  if (!has_results(file)) {
    std::error_code ignored;
    throw UsageError(
        fs::exists(file, ignored)
            ? fmt::format("'{}' is empty; a sweep fills it", file.string())
            : fmt::format("there is no results database '{}'; a sweep makes one", file.string()));
  }
  // Not OPEN_READONLY: the half-done change of a killed writer could then not be undone.
  SQLite::Database database = connect(file, SQLite::OPEN_READWRITE, patience);
  database.exec("PRAGMA query_only = ON");
  return database;
}

SQLite::Database open_to_write(const fs::path& file, Seconds patience) {
  std::error_code error;
  const bool was_there = fs::exists(file, error);
  if (!has_results(file) && !fs::is_directory(fs::absolute(file).parent_path(), error)) {
    throw UsageError(fmt::format("'{}' can't be made: its folder: {}", file.string(),
                                 error ? error.message() : "is a file"));
  }
  try {
    SQLite::Database database =
        connect(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, patience);
    // A rollback journal works on network file systems, unlike a write-ahead log.
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL");
    create_or_touch(database);
    return database;
  } catch (...) {
    if (!was_there) remove_if_empty(file);
    throw;
  }
}

}  // namespace breakeven::results
