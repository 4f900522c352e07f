// SPDX-License-Identifier: BSD-3-Clause
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "results/merge.hpp"
#include "results/statements.hpp"

namespace breakeven::results {

namespace {

using Words = std::vector<std::string>;

/// Columns are read from the tables, so that a new one is merged like the others; a new table is
/// refused until it is added here.
const std::set<std::string> kTables{
    "machine",    "library_algorithm", "default_tree", "sweep",      "launch",
    "case",       "measurement",       "durations",    "inspection", "predictor",
    "prediction", "calibration",       "estimate"};  // of the whole: see session/estimates.hpp

void refuse_unknown_tables(SQLite::Database& database) {
  visit_rows(database,
             "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT "
             "LIKE 'sqlite\\_%' ESCAPE '\\'",
             [](Columns& row) {
               const std::string name = row.text();
               if (!kTables.contains(name))
                 throw Error(fmt::format("table '{}' can't be merged", name));
             });
}

/// A table's columns but those that are row numbers of this file, and but `others`.
Words columns(SQLite::Database& database, const std::string& table, const Words& others = {}) {
  Words skipped{"id", "machine_id", "case_id", "launch_id", "measurement_id", "predictor_id"};
  skipped.insert(skipped.end(), others.begin(), others.end());
  Words found;
  visit_rows(
      database, "SELECT name FROM pragma_table_info(?)",
      [&](Columns& row) {
        std::string name = row.text();
        if (std::ranges::find(skipped, name) == skipped.end()) found.push_back(std::move(name));
      },
      table);
  return found;
}

std::string list(const Words& names, const std::string& table = "") {
  Words words;
  for (const std::string& name : names) words.push_back(table + name);
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Whether rows p and m are the same; NULL is like NULL.
std::string same(const Words& names) {
  Words words;
  for (const std::string& name : names) words.push_back(fmt::format("p.{} IS m.{}", name, name));
  return fmt::format("{}", fmt::join(words, " AND "));
}

std::int64_t count(SQLite::Database& database, const std::string& query) {
  return database.execAndGet(query).getInt64();
}

/// machine_map, case_map and launch_map have the row in `main` of each row in `part`.
class Merge {
 public:
  explicit Merge(SQLite::Database& database) : database_(database) {}

  MergeSummary run() {
    machines();
    rows_of_machines();
    inspections();
    predictions();
    launches();
    measurements();
    database_.exec(
        "DROP TABLE machine_map; DROP TABLE case_map; DROP TABLE launch_map; DROP TABLE clash; "
        "DROP TABLE renumbered; DROP TABLE incoming");
    return summary_;
  }

 private:
  void machines() {
    const Words all = columns(database_, "machine");
    const Words identity = columns(database_, "machine", {"settings_origin"});
    database_.exec(
        fmt::format("INSERT INTO main.machine ({0}) SELECT {0} FROM part.machine AS p "
                    "WHERE NOT EXISTS (SELECT 1 FROM main.machine AS m WHERE {1})",
                    list(all), same(identity)));
    database_.exec("CREATE TEMP TABLE machine_map (old INTEGER PRIMARY KEY, new INTEGER)");
    database_.exec(
        fmt::format("INSERT INTO machine_map SELECT p.id, m.id FROM part.machine AS p "
                    "JOIN main.machine AS m ON {}",
                    same(identity)));
  }

  /// Tables in which each machine has a row once.
  void rows_of_machines() {
    for (const std::string table : {"library_algorithm", "default_tree", "sweep", "case"}) {
      const Words all = columns(database_, table);
      database_.exec(fmt::format(
          "INSERT OR IGNORE INTO main.\"{0}\" (machine_id, {1}) SELECT g.new, {2} FROM "
          "part.\"{0}\" AS p JOIN machine_map AS g ON g.old = p.machine_id ORDER BY p.id",
          table, list(all), list(all, "p.")));
    }
    database_.exec("CREATE TEMP TABLE case_map (old INTEGER PRIMARY KEY, new INTEGER)");
    database_.exec(
        fmt::format("INSERT INTO case_map SELECT p.id, m.id FROM part.\"case\" AS p "
                    "JOIN machine_map AS g ON g.old = p.machine_id "
                    "JOIN main.\"case\" AS m ON m.machine_id = g.new AND {}",
                    same(columns(database_, "case"))));
  }

  void inspections() {
    const Words inspection = columns(database_, "inspection");
    database_.exec(fmt::format(
        "INSERT INTO main.inspection (machine_id, {}) SELECT g.new, {} FROM part.inspection AS p "
        "JOIN machine_map AS g ON g.old = p.machine_id "
        "WHERE NOT EXISTS (SELECT 1 FROM main.inspection AS m WHERE m.machine_id = g.new AND {}) "
        "ORDER BY p.id",
        list(inspection), list(inspection, "p."), same(inspection)));
  }

  /// The same predictor predicts the same for a case everywhere.
  void predictions() {
    database_.exec("INSERT OR IGNORE INTO main.predictor (text) SELECT text FROM part.predictor");
    const Words all = columns(database_, "prediction");
    database_.exec(fmt::format(
        "INSERT OR IGNORE INTO main.prediction (case_id, predictor_id, {}) SELECT c.new, m.id, {} "
        "FROM part.prediction AS p JOIN case_map AS c ON c.old = p.case_id "
        "JOIN part.predictor AS t ON t.id = p.predictor_id "
        "JOIN main.predictor AS m ON m.text = t.text ORDER BY p.id",
        list(all), list(all, "p.")));
  }

  /// Launches are the same when all facts of their beginning are equal; the repeat may differ,
  /// because an earlier merge may have renumbered it.
  void launches() {
    const Words began = columns(database_, "launch", {"repeat", "ended_at", "outcome"});
    database_.exec("CREATE TEMP TABLE launch_map (old INTEGER PRIMARY KEY, new INTEGER)");
    database_.exec(
        fmt::format("INSERT INTO launch_map SELECT p.id, min(m.id) FROM part.launch AS p "
                    "JOIN machine_map AS g ON g.old = p.machine_id "
                    "JOIN main.launch AS m ON m.machine_id = g.new AND {} GROUP BY p.id",
                    same(began)));
    database_.exec(
        "UPDATE main.launch SET (ended_at, outcome) = (SELECT p.ended_at, p.outcome "
        "FROM part.launch AS p JOIN launch_map AS l ON l.old = p.id WHERE l.new = launch.id) "
        "WHERE ended_at IS NULL AND id IN (SELECT new FROM launch_map)");
    find_clashes();
    const std::int64_t last = count(database_, "SELECT coalesce(max(id), 0) FROM main.launch");
    const Words all = columns(database_, "launch", {"repeat"});
    database_.exec(fmt::format(
        "INSERT INTO main.launch (id, machine_id, repeat, {}) SELECT p.id + {}, g.new, "
        "CASE WHEN c.old IS NULL THEN p.repeat ELSE (SELECT r.new FROM renumbered AS r WHERE "
        "r.machine_id = p.machine_id AND r.procs = p.procs AND r.old = p.repeat) END, {} "
        "FROM part.launch AS p JOIN machine_map AS g ON g.old = p.machine_id "
        "LEFT JOIN clash AS c ON c.old = p.id "
        "WHERE p.id NOT IN (SELECT old FROM launch_map)",
        list(all), last, list(all, "p.")));
    database_.exec(
        fmt::format("INSERT INTO launch_map SELECT p.id, p.id + {} FROM part.launch AS p "
                    "WHERE p.id NOT IN (SELECT old FROM launch_map)",
                    last));
    database_.exec(
        "INSERT OR IGNORE INTO main.calibration (launch_id, probe, time_s) "
        "SELECT l.new, p.probe, p.time_s FROM part.calibration AS p "
        "JOIN launch_map AS l ON l.old = p.launch_id");
  }

  /// Finds new launches that measured the same cases as another one under the same repeat, and free
  /// repeats.
  void find_clashes() {
    database_.exec(
        "CREATE TEMP TABLE clash AS SELECT DISTINCT p.launch_id AS old "
        "FROM part.measurement AS p JOIN case_map AS c ON c.old = p.case_id "
        "JOIN main.measurement AS m ON m.case_id = c.new AND m.repeat = p.repeat "
        "WHERE p.failure IS NULL AND m.failure IS NULL "
        "AND p.launch_id NOT IN (SELECT old FROM launch_map)");
    database_.exec(
        "CREATE TEMP TABLE renumbered AS SELECT p.machine_id, p.procs, p.repeat AS old, "
        "max(coalesce((SELECT max(m.repeat) FROM main.launch AS m JOIN machine_map AS g "
        "ON g.new = m.machine_id WHERE g.old = p.machine_id AND m.procs = p.procs), 0), "
        "(SELECT max(q.repeat) FROM part.launch AS q "
        "WHERE q.machine_id = p.machine_id AND q.procs = p.procs)) "
        "+ row_number() OVER (PARTITION BY p.machine_id, p.procs ORDER BY p.repeat) AS new "
        "FROM (SELECT DISTINCT machine_id, procs, repeat FROM part.launch "
        "WHERE id IN (SELECT old FROM clash)) AS p");
    summary_.renumbered = count(database_, "SELECT count(*) FROM clash");
  }

  void measurements() {
    database_.exec(
        "CREATE TEMP TABLE incoming AS SELECT p.id AS old, c.new AS case_id, l.new AS launch_id, "
        "n.repeat AS repeat, p.failure AS failure FROM part.measurement AS p "
        "JOIN case_map AS c ON c.old = p.case_id JOIN launch_map AS l ON l.old = p.launch_id "
        "JOIN main.launch AS n ON n.id = l.new");
    // A measurement takes the place of a failure, as when a sweep tries again.
    database_.exec(
        "DELETE FROM main.measurement WHERE failure IS NOT NULL AND EXISTS (SELECT 1 "
        "FROM incoming AS i WHERE i.case_id = measurement.case_id "
        "AND i.repeat = measurement.repeat AND i.failure IS NULL)");
    const Words all = columns(database_, "measurement", {"repeat"});
    summary_.added = database_.exec(
        fmt::format("INSERT OR IGNORE INTO main.measurement (case_id, launch_id, repeat, {}) "
                    "SELECT i.case_id, i.launch_id, i.repeat, {} FROM incoming AS i "
                    "JOIN part.measurement AS p ON p.id = i.old ORDER BY p.id",
                    list(all), list(all, "p.")));
    summary_.skipped =
        count(database_,
              "SELECT count(*) FROM incoming AS i WHERE i.failure IS NULL AND NOT EXISTS "
              "(SELECT 1 FROM main.measurement AS m WHERE m.case_id = i.case_id "
              "AND m.launch_id = i.launch_id)");
    summary_.known =
        count(database_, "SELECT count(*) FROM incoming") - summary_.added - summary_.skipped;
    const Words samples = columns(database_, "durations");
    database_.exec(
        fmt::format("INSERT OR IGNORE INTO main.durations (measurement_id, {}) SELECT m.id, {} "
                    "FROM incoming AS i JOIN part.durations AS p ON p.measurement_id = i.old "
                    "JOIN main.measurement AS m ON m.case_id = i.case_id AND m.repeat = i.repeat "
                    "AND m.launch_id = i.launch_id AND m.failure IS NULL",
                    list(samples), list(samples, "p.")));
  }

  SQLite::Database& database_;
  MergeSummary summary_{};
};

}  // namespace

MergeSummary merge_tables(SQLite::Database& database, const std::filesystem::path& from) {
  refuse_unknown_tables(database);
  SQLite::Statement attach(database, "ATTACH ? AS part");
  attach.bind(1, std::filesystem::absolute(from).string());
  attach.exec();
  MergeSummary summary;
  {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    summary = Merge{database}.run();
    SQLite::Statement broken(database, "PRAGMA main.foreign_key_check");
    if (broken.executeStep()) throw Error("the joined tables don't fit together");
    broken.reset();
    transaction.commit();
  }
  database.exec("DETACH part");
  return summary;
}

}  // namespace breakeven::results
