// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

#include "results/merge.hpp"

namespace breakeven::results {

/// Adds what another database of the same version holds, in one transaction.
/// @throws SQLite::Exception, Error when it has a table that this function doesn't know.
[[nodiscard]] MergeSummary merge_tables(SQLite::Database& database,
                                        const std::filesystem::path& from);

}  // namespace breakeven::results
