// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace SQLite {
class Database;
}

namespace breakeven::results {

/// The fate of the measurements in the databases that were joined.
struct MergeSummary {
  std::int64_t added = 0;       ///< measured or failed, and new
  std::int64_t known = 0;       ///< of a launch that was there before, or failed where another one
                                ///< measured
  std::int64_t renumbered = 0;  ///< launches that measured what another one had measured under the
                                ///< same repeat, and got a repeat of their own
  std::int64_t skipped = 0;     ///< of a launch that was there and had measured the case in a copy
};

/// Adds everything in the databases `in` to `out`, which is made when it is missing. Machines and
/// cases are the same when all members are equal, launches when all facts of their beginning are.
/// Databases in `in` are not changed. `out` is as it was, or whole.
/// @throws UsageError naming the file when one of them can't be read, is no results database, is
///         `out` itself, or `out` is being filled by a sweep or can't be written.
[[nodiscard]] MergeSummary merge_databases(const std::filesystem::path& out,
                                           std::span<const std::filesystem::path> in);

/// Adds a database's tables to those of an open one, in one transaction.
/// @throws SQLite::Exception; Error when the joined tables don't fit together.
[[nodiscard]] MergeSummary merge_tables(SQLite::Database& database,
                                        const std::filesystem::path& from);

}  // namespace breakeven::results
