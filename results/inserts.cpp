// SPDX-License-Identifier: BSD-3-Clause
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <bit>
#include <string_view>

#include "core/error.hpp"
#include "results/queries.hpp"
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

/// Runs a statement in which {} is the time now.
template <typename... Values>
void run_dated(SQLite::Database& database, std::string_view sql, const Values&... values) {
  SQLite::Statement statement(database, fmt::format(fmt::runtime(sql), kNow));
  SQLite::bind(statement, values...);
  statement.exec();
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

void insert_capabilities(SQLite::Database& database, MachineId machine,
                         const LibraryCapabilities& capabilities) {
  OwnTransaction transaction(database);
  SQLite::Statement algorithm(
      database,
      "INSERT OR IGNORE INTO library_algorithm (machine_id, collective, form, name, value) "
      "VALUES (?, ?, ?, ?, ?)");
  for (const CallForm form : {CallForm::blocking, CallForm::nonblocking}) {
    for (const ListedAlgorithm& each : capabilities.of(form)) {
      SQLite::bind(fresh(algorithm), number(machine), std::string(kCollectives.of(each.collective)),
                   std::string(kCallForms.of(form)), each.name, each.value);
      algorithm.exec();
    }
  }
  SQLite::Statement tree(
      database, "INSERT OR IGNORE INTO default_tree (machine_id, name, json) VALUES (?, ?, ?)");
  for (const DefaultTree& each : capabilities.default_trees) {
    SQLite::bind(fresh(tree), number(machine), each.name, each.json);
    tree.exec();
  }
  transaction.commit();
}

void insert_sweep(SQLite::Database& database, MachineId machine, const std::string& request) {
  run_dated(database, kInsertSweep, number(machine), request);
}

void insert_inspection(SQLite::Database& database, MachineId machine, const std::string& report) {
  run_dated(database, kInsertInspection, number(machine), report);
}

LaunchId begin_launch(SQLite::Database& database, MachineId machine, const Launch& launch) {
  run_dated(database, kInsertLaunch, number(machine), launch.layout.procs, launch.layout.nodes,
            launch.layout.procs_per_node, to_text(launch.layout.mapping), launch.repeat,
            std::bit_cast<std::int64_t>(launch.seed), launch.command, launch.placement,
            launch.environment, static_cast<int>(launch.oversubscribed),
            name_or_empty(kSyncMethods, launch.sync), name_or_empty(kClockSyncs, launch.clock_sync),
            name_or_empty(kTimers, launch.timer), std::string(kRunTimes.of(launch.run_time)),
            static_cast<int>(launch.outliers_dropped));
  return LaunchId{database.getLastInsertRowid()};
}

void insert_calibration(SQLite::Database& database, LaunchId launch,
                        const Calibration& calibration) {
  SQLite::Transaction transaction(database);
  SQLite::Statement insert(database, std::string(kInsertCalibration));
  for (const auto& [probe, time] : calibration) {
    SQLite::bind(fresh(insert), number(launch), std::string(kProbes.of(probe)), time.value);
    insert.exec();
  }
  transaction.commit();
}

void end_launch(SQLite::Database& database, LaunchId launch, const std::string& outcome) {
  run_dated(database, kEndLaunch, outcome, number(launch));
}

}  // namespace breakeven::results
