// SPDX-License-Identifier: BSD-3-Clause
#include "results/migrations/from_2.hpp"

#include <string>

namespace breakeven {

void migrate_from_2(SQLite::Database& database) { database.exec(std::string(tables_from_2())); }

}  // namespace breakeven
