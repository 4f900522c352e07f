// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/launch.hpp"
#include "core/prediction.hpp"
#include "results/records.hpp"

namespace breakeven::results {

// What the functions of Store that read give back. All throw SQLite::Exception, and UsageError
// when the database names something that this program doesn't know.

[[nodiscard]] std::map<MachineId, Machine> select_machines(SQLite::Database& database);

[[nodiscard]] std::vector<std::string> select_sweeps(SQLite::Database& database, MachineId machine);

[[nodiscard]] std::vector<StoredLaunch> select_launches(SQLite::Database& database,
                                                        MachineId machine);

[[nodiscard]] std::string select_inspection(SQLite::Database& database, MachineId machine);

[[nodiscard]] std::vector<Failure> select_failures(SQLite::Database& database, MachineId machine);

[[nodiscard]] std::vector<Measurement> select_measurements(SQLite::Database& database,
                                                           MachineId machine);

[[nodiscard]] std::vector<StoredMeasurement> select_stored_measurements(SQLite::Database& database,
                                                                        MachineId machine);

[[nodiscard]] Predictions select_predictions(SQLite::Database& database, MachineId machine,
                                             const std::string& predictor);

/// @throws Error naming the case whose samples are damaged.
void visit_samples(SQLite::Database& database, MachineId machine,
                   const std::function<void(const CaseSamples&)>& visit);

}  // namespace breakeven::results
