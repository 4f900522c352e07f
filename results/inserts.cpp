// SPDX-License-Identifier: BSD-3-Clause
#include "results/inserts.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

#include <bit>
#include <string_view>

#include "core/error.hpp"
#include "results/statements.hpp"

namespace breakeven::results {

namespace {

// An update that changes nothing makes RETURNING name the row that is there.
constexpr std::string_view kInsertMachine =
    "INSERT INTO machine (name, kind, library_version, cpu, settings, settings_origin) "
    "VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET cpu = excluded.cpu RETURNING id";

constexpr std::string_view kInsertSweep =
    "INSERT INTO sweep (machine_id, request, asked_at) VALUES (?, ?, {}) ON CONFLICT DO NOTHING";

constexpr std::string_view kInsertInspection =
    "INSERT INTO inspection (machine_id, report, inspected_at) VALUES (?, ?, {})";

constexpr std::string_view kInsertLaunch =
    "INSERT INTO launch (machine_id, procs, nodes, procs_per_node, mapping, repeat, seed, command, "
    "placement, environment, oversubscribed, sync, clock_sync, timer, run_time, "
    "outliers_dropped, started_at) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {})";

constexpr std::string_view kInsertCalibration =
    "INSERT INTO calibration (launch_id, probe, time_s) VALUES (?, ?, ?)";

constexpr std::string_view kEndLaunch = "UPDATE launch SET ended_at = {}, outcome = ? WHERE id = ?";

/// A statement in which {} is the time now.
SQLite::Statement dated(SQLite::Database& database, std::string_view sql) {
  return {database, fmt::format(fmt::runtime(sql), kNow)};
}

}  // namespace

MachineId insert_machine(SQLite::Database& database, const Machine& machine) {
  SQLite::Statement insert(database, std::string(kInsertMachine));
  SQLite::bind(insert, machine.name, std::string(kMachineKinds.of(machine.kind)),
               machine.library_version, machine.cpu, values_text(machine.settings),
               to_text(machine.settings));
  if (const auto id = run(insert)) return MachineId{*id};
  throw Error("the machine table returned no id");
}

void insert_sweep(SQLite::Database& database, MachineId machine, const std::string& request) {
  SQLite::Statement insert = dated(database, kInsertSweep);
  SQLite::bind(insert, number(machine), request);
  insert.exec();
}

void insert_inspection(SQLite::Database& database, MachineId machine, const std::string& report) {
  SQLite::Statement insert = dated(database, kInsertInspection);
  SQLite::bind(insert, number(machine), report);
  insert.exec();
}

LaunchId begin_launch(SQLite::Database& database, MachineId machine, const Launch& launch) {
  SQLite::Statement insert = dated(database, kInsertLaunch);
  SQLite::bind(insert, number(machine), launch.layout.procs, launch.layout.nodes,
               launch.layout.procs_per_node, to_text(launch.layout.mapping), launch.repeat,
               std::bit_cast<std::int64_t>(launch.seed), launch.command, launch.placement,
               launch.environment, static_cast<int>(launch.oversubscribed),
               name_or_empty(kSyncMethods, launch.sync),
               name_or_empty(kClockSyncs, launch.clock_sync), name_or_empty(kTimers, launch.timer),
               std::string(kRunTimes.of(launch.run_time)),
               static_cast<int>(launch.outliers_dropped));
  insert.exec();
  return LaunchId{database.getLastInsertRowid()};
}

void insert_calibration(SQLite::Database& database, LaunchId launch,
                        const Calibration& calibration) {
  SQLite::Transaction transaction(database);
  SQLite::Statement insert(database, std::string(kInsertCalibration));
  for (const auto& [probe, time] : calibration) {
    SQLite::bind(insert, number(launch), std::string(kProbes.of(probe)), time.value);
    insert.exec();
    insert.reset();
  }
  transaction.commit();
}

void end_launch(SQLite::Database& database, LaunchId launch, const std::string& outcome) {
  SQLite::Statement update = dated(database, kEndLaunch);
  SQLite::bind(update, outcome, number(launch));
  update.exec();
}

}  // namespace breakeven::results
