// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <map>
#include <string>
#include <vector>

#include "results/store.hpp"

namespace breakeven {

// What the functions of Store that read give back. All throw SQLite::Exception, and UsageError
// when the database names something that this program doesn't know.

[[nodiscard]] std::map<MachineId, Machine> select_machines(SQLite::Database& database);

[[nodiscard]] std::vector<std::string> select_sweeps(SQLite::Database& database, MachineId machine);

[[nodiscard]] std::vector<Stored> select_stored(SQLite::Database& database, MachineId machine);

[[nodiscard]] std::vector<Measurement> select_measurements(SQLite::Database& database,
                                                           MachineId machine);

[[nodiscard]] std::vector<Seconds> select_samples(SQLite::Database& database, MachineId machine,
                                                  const Case& what, int repeat);

}  // namespace breakeven
