// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "core/launch.hpp"
#include "results/records.hpp"

namespace breakeven::results {

// What the functions of Store that record machines and launches do. All throw SQLite::Exception.

/// Finds the machine or adds it.
[[nodiscard]] MachineId insert_machine(SQLite::Database& database, const Machine& machine);
/// Adds the request unless the machine was asked it before.
void insert_sweep(SQLite::Database& database, MachineId machine, const std::string& request);
void insert_inspection(SQLite::Database& database, MachineId machine, const std::string& report);
[[nodiscard]] LaunchId begin_launch(SQLite::Database& database, MachineId machine,
                                    const Launch& launch);
void insert_calibration(SQLite::Database& database, LaunchId launch,
                        const Calibration& calibration);
void end_launch(SQLite::Database& database, LaunchId launch, const std::string& outcome);

}  // namespace breakeven::results
