// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/launch.hpp"
#include "core/library_capabilities.hpp"
#include "core/prediction.hpp"
#include "results/records.hpp"

namespace breakeven::results {

// The functions of Store on an open database. All throw SQLite::Exception; the reading ones throw
// UsageError when the database has a name that is unknown to this program.

/// Finds the machine or adds it.
[[nodiscard]] MachineId insert_machine(SQLite::Database& database, const Machine& machine);
/// Adds the library's algorithms and trees that are not there yet.
void insert_capabilities(SQLite::Database& database, MachineId machine,
                         const LibraryCapabilities& capabilities);
/// Adds the request unless the machine has it.
void insert_sweep(SQLite::Database& database, MachineId machine, const std::string& request);
void insert_inspection(SQLite::Database& database, MachineId machine, const std::string& report);
[[nodiscard]] LaunchId begin_launch(SQLite::Database& database, MachineId machine,
                                    const Launch& launch);
void insert_calibration(SQLite::Database& database, LaunchId launch,
                        const Calibration& calibration);
void end_launch(SQLite::Database& database, LaunchId launch, const std::string& outcome);

[[nodiscard]] std::map<MachineId, Machine> select_machines(SQLite::Database& database);
/// By collective and value; empty when the library was never asked.
[[nodiscard]] LibraryCapabilities select_capabilities(SQLite::Database& database,
                                                      MachineId machine);
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
void visit_samples_of(SQLite::Database& database, MachineId machine,
                      const std::function<void(const CaseSamples&)>& visit);

}  // namespace breakeven::results
