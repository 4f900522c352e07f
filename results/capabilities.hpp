// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include "core/library_capabilities.hpp"
#include "results/records.hpp"

namespace breakeven::results {

// What a machine's library has itself. Both throw SQLite::Exception.

/// Adds what is not there yet.
void insert_capabilities(SQLite::Database& database, MachineId machine,
                         const LibraryCapabilities& capabilities);

/// By collective and value; empty when the library was never asked.
[[nodiscard]] LibraryCapabilities select_capabilities(SQLite::Database& database,
                                                      MachineId machine);

}  // namespace breakeven::results
