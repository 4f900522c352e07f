// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include "core/library_offer.hpp"
#include "results/records.hpp"

namespace breakeven {

// What a machine's library has itself. Both throw SQLite::Exception.

/// Adds what is not there yet.
void insert_offer(SQLite::Database& database, MachineId machine, const LibraryOffer& offer);

/// By collective and value; empty when the library was never asked.
[[nodiscard]] LibraryOffer select_offer(SQLite::Database& database, MachineId machine);

}  // namespace breakeven
