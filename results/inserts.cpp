// SPDX-License-Identifier: BSD-3-Clause
#include "results/inserts.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "results/rows.hpp"

namespace breakeven {

namespace {

constexpr std::string_view kNow = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

// In the next two, an update that changes nothing makes RETURNING name the row that is there.
constexpr std::string_view kInsertMachine =
    "INSERT INTO machine (name, kind, library_version, cpu) VALUES (?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET cpu = excluded.cpu RETURNING id";

constexpr std::string_view kInsertCase =
    "INSERT INTO \"case\" (machine_id, {}) SELECT machine_id, {} FROM launch WHERE id = ?12 "
    "ON CONFLICT DO UPDATE SET root = excluded.root RETURNING id";

constexpr std::string_view kInsertLaunch =
    "INSERT INTO launch (machine_id, procs, nodes, procs_per_node, mapping, repeat, seed, command, "
    "placement, environment, oversubscribed, started_at) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {})";

// Returns no row when the (case, repeat) is measured already.
constexpr std::string_view kInsertMeasurement =
    "INSERT INTO measurement (case_id, launch_id, repeat, samples, median_s, failure, warmups) "
    "SELECT ?1, id, repeat, ?3, iif(?3 > 0, ?4, NULL), nullif(?5, ''), ?6 FROM launch WHERE id = "
    "?2 "
    "ON CONFLICT DO UPDATE SET launch_id = excluded.launch_id, samples = excluded.samples, "
    "median_s = excluded.median_s, failure = excluded.failure, warmups = excluded.warmups "
    "WHERE failure IS NOT NULL RETURNING id";

constexpr std::string_view kInsertSample =
    "INSERT INTO sample (measurement_id, repetition, duration_s) VALUES (?, ?, ?)";

/// Makes a statement ready to be bound, whatever became of its last use.
SQLite::Statement& fresh(SQLite::Statement& statement) {
  statement.tryReset();
  return statement;
}

/// Runs a bound statement and gives the id that it returns. To its end, past its only row: what
/// still fails after that row, such as the commit, is reported there.
std::optional<std::int64_t> run(SQLite::Statement& statement) {
  std::optional<std::int64_t> id;
  while (statement.executeStep()) id = statement.getColumn(0).getInt64();
  return id;
}

template <typename Id>
std::int64_t number(Id id) {
  return static_cast<std::int64_t>(id);
}

}  // namespace

Inserts::Inserts(SQLite::Database& database)
    : database_(&database),
      case_(database, fmt::format(kInsertCase, kCaseColumns, kCaseParameters)),
      measurement_(database, std::string(kInsertMeasurement)),
      sample_(database, std::string(kInsertSample)) {}

MachineId Inserts::machine(const Machine& machine) {
  SQLite::Statement insert(*database_, std::string(kInsertMachine));
  SQLite::bind(insert, machine.name, std::string(kMachineKinds.of(machine.kind)),
               machine.library_version, machine.cpu);
  if (const auto id = run(insert)) return MachineId{*id};
  throw Error("the machine table returned no id");
}

void Inserts::sweep(MachineId machine, const std::string& request) {
  SQLite::Statement insert(
      *database_, fmt::format("INSERT INTO sweep (machine_id, request, asked_at) VALUES (?, ?, {}) "
                              "ON CONFLICT DO NOTHING",
                              kNow));
  SQLite::bind(insert, number(machine), request);
  insert.exec();
}

LaunchId Inserts::begin(MachineId machine, const Launch& launch) {
  SQLite::Statement insert(*database_, fmt::format(kInsertLaunch, kNow));
  SQLite::bind(insert, number(machine), launch.procs, launch.nodes, launch.procs_per_node,
               std::string(kMappings.of(launch.mapping)), launch.repeat,
               std::bit_cast<std::int64_t>(launch.seed), launch.command, launch.placement,
               launch.environment, static_cast<int>(launch.oversubscribed));
  insert.exec();
  return LaunchId{database_->getLastInsertRowid()};
}

void Inserts::end(LaunchId launch, const std::string& outcome) {
  SQLite::Statement update(
      *database_, fmt::format("UPDATE launch SET ended_at = {}, outcome = ? WHERE id = ?", kNow));
  SQLite::bind(update, outcome, number(launch));
  update.exec();
}

bool Inserts::outcome(LaunchId launch, const Case& what, const Outcome& outcome) {
  std::optional<SQLite::Transaction> transaction;
  const bool in_batch = sqlite3_get_autocommit(database_->getHandle()) == 0;
  if (!in_batch) transaction.emplace(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  bind_case(fresh(case_), what);
  case_.bind(kCaseWidth + 1, number(launch));
  const auto case_id = run(case_);
  if (!case_id) throw Error(fmt::format("there is no launch {}", number(launch)));

  const auto samples = static_cast<std::int64_t>(outcome.durations.size());
  SQLite::bind(fresh(measurement_), *case_id, number(launch), samples, outcome.median,
               outcome.failure, outcome.warmups);
  const auto measurement_id = run(measurement_);
  if (!measurement_id) return false;

  for (std::int64_t repetition = 0; const double duration : outcome.durations) {
    SQLite::bind(fresh(sample_), *measurement_id, repetition++, duration);
    sample_.exec();
  }
  if (transaction) transaction->commit();
  return true;
}

}  // namespace breakeven
