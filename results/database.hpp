// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <string_view>

#include "core/units.hpp"

namespace breakeven::results {

/// The version of results/schema.sql, the only one that this program reads and writes.
inline constexpr int kSchemaVersion = 10;

/// The text of results/schema.sql, which makes an empty SQLite file a results database.
[[nodiscard]] std::string_view schema();

/// The version of the SQLite library that runs: "3.40.1".
[[nodiscard]] std::string_view sqlite_version();

/// Whether there is a results database in a file; not when it is missing or its making was killed.
/// @throws UsageError naming the file when it is something else, or of another version.
[[nodiscard]] bool has_results(const std::filesystem::path& file);

/// Opens a results database that must be there; the connection can't change it. Each use waits for
/// `patience` where another process has it locked.
/// @throws UsageError, SQLite::Exception as Store::Store says.
[[nodiscard]] SQLite::Database open_to_read(const std::filesystem::path& file, Seconds patience);

/// Opens a results database, made when there is none. That it can be written is tried now, not
/// after hours of measuring.
/// @throws UsageError, SQLite::Exception as Store::Store says.
[[nodiscard]] SQLite::Database open_to_write(const std::filesystem::path& file, Seconds patience);

}  // namespace breakeven::results
