// SPDX-License-Identifier: BSD-3-Clause
#include "results/case_inserts.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "results/picoseconds.hpp"
#include "results/statements.hpp"
#include "stats/median.hpp"

namespace breakeven::results {

namespace {

// An update that changes nothing makes RETURNING name the row that is there.
constexpr std::string_view kInsertCase =
    "INSERT INTO \"case\" ({}, machine_id) VALUES ({}, ?15) "
    "ON CONFLICT DO UPDATE SET root = excluded.root RETURNING id";

// Returns no row when the (case, repeat) is measured already.
constexpr std::string_view kInsertMeasurement =
    "INSERT INTO measurement (case_id, launch_id, samples, failure, warmups, invalid, stopped, "
    "median_s, low_s, high_s, global_median_s, rank_mean_min_s, rank_mean_avg_s, rank_mean_max_s, "
    "ended_s, outliers, start_s, make_s, call_s, work_s, worked_s, tested_s, test_every_s, repeat) "
    "VALUES (?1, ?2, ?3, nullif(?4, ''), ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, "
    "?17, ?18, ?19, ?20, ?21, ?22, ?23, (SELECT repeat FROM launch WHERE id = ?2)) "
    "ON CONFLICT DO UPDATE SET launch_id = excluded.launch_id, samples = excluded.samples, "
    "failure = excluded.failure, warmups = excluded.warmups, invalid = excluded.invalid, "
    "stopped = excluded.stopped, median_s = excluded.median_s, low_s = excluded.low_s, "
    "high_s = excluded.high_s, global_median_s = excluded.global_median_s, "
    "rank_mean_min_s = excluded.rank_mean_min_s, rank_mean_avg_s = excluded.rank_mean_avg_s, "
    "rank_mean_max_s = excluded.rank_mean_max_s, ended_s = excluded.ended_s, "
    "outliers = excluded.outliers, start_s = excluded.start_s, make_s = excluded.make_s, "
    "call_s = excluded.call_s, work_s = excluded.work_s, worked_s = excluded.worked_s, "
    "tested_s = excluded.tested_s, test_every_s = excluded.test_every_s "
    "WHERE failure IS NOT NULL RETURNING id";

constexpr std::string_view kInsertDurations =
    "INSERT INTO durations (measurement_id, local_ps, global_ps) VALUES (?, ?, ?)";

constexpr std::string_view kDeleteEstimates =
    "DELETE FROM estimate WHERE case_id IN (SELECT id FROM \"case\" WHERE machine_id = ?)";

constexpr std::string_view kInsertEstimate =
    "INSERT INTO estimate (case_id, paired_launches, place, median_s, time_s, median_low_s, "
    "median_high_s, low_s, high_s, speedup, speedup_low, speedup_high, near_best) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

std::optional<Seconds> median_of(std::span<const Seconds> durations) {
  if (durations.empty()) return std::nullopt;
  std::vector<double> seconds;
  seconds.reserve(durations.size());
  for (const Seconds each : durations) seconds.push_back(each.value);
  return Seconds{stats::median(std::move(seconds))};
}

void bind(SQLite::Statement& statement, int index, const std::vector<std::uint8_t>& bytes) {
  statement.bindNoCopy(index, bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

CaseInserts::CaseInserts(SQLite::Database& database)
    : database_(&database),
      machine_of_(database, "SELECT machine_id FROM launch WHERE id = ?"),
      case_(database, fmt::format(kInsertCase, kCaseColumns, kCaseParameters)),
      measurement_(database, std::string(kInsertMeasurement)),
      durations_(database, std::string(kInsertDurations)) {}

bool CaseInserts::result(LaunchId launch, const Case& what, const CaseResult& result,
                         const Summary& summary) {
  if (result.local.empty()) throw Error(fmt::format("{}: no valid sample", to_text(what)));
  if (!result.global.empty() && result.global.size() != result.local.size()) {
    throw Error(fmt::format("{}: {} samples, but {} on the global clock", to_text(what),
                            result.local.size(), result.global.size()));
  }
  const std::vector<std::uint8_t> local = encode_picoseconds(result.local);
  const std::vector<std::uint8_t> global = encode_picoseconds(result.global);
  OwnTransaction transaction(*database_);
  const auto id = measurement(launch, what, result, summary, "");
  if (!id) return false;
  fresh(durations_).clearBindings();
  durations_.bind(1, *id);
  bind(durations_, 2, local);
  if (!global.empty()) bind(durations_, 3, global);
  durations_.exec();
  transaction.commit();
  return true;
}

bool CaseInserts::failure(LaunchId launch, const Case& what, const std::string& reason) {
  OwnTransaction transaction(*database_);
  const bool stored = measurement(launch, what, {}, {}, reason).has_value();
  transaction.commit();
  return stored;
}

void CaseInserts::predictions(MachineId machine, const std::string& predictor,
                              const Predictions& predictions) {
  OwnTransaction transaction(*database_);
  SQLite::Statement by(*database_,
                       "INSERT INTO predictor (text) VALUES (?) "
                       "ON CONFLICT DO UPDATE SET text = excluded.text RETURNING id");
  by.bind(1, predictor);
  const std::int64_t id = run(by).value();
  SQLite::Statement insert(*database_,
                           "INSERT OR IGNORE INTO prediction (case_id, predictor_id, time_s, "
                           "low_s, high_s) VALUES (?, ?, ?, ?, ?)");
  for (const auto& [what, prediction] : predictions) {
    SQLite::bind(fresh(insert), row_of(machine, what), id, prediction.time.value);
    breakeven::results::bind(insert, 4, prediction.low);
    breakeven::results::bind(insert, 5, prediction.high);
    insert.exec();
  }
  transaction.commit();
}

void CaseInserts::estimates(MachineId machine, std::span<const CaseEstimate> estimates) {
  OwnTransaction transaction(*database_);
  SQLite::Statement old(*database_, std::string(kDeleteEstimates));
  old.bind(1, number(machine));
  old.exec();
  SQLite::Statement insert(*database_, std::string(kInsertEstimate));
  for (const CaseEstimate& each : estimates) {
    const std::int64_t id = row_of(machine, each.what);
    fresh(insert).clearBindings();
    SQLite::bind(insert, id, each.paired_launches, each.place, each.median.median, each.time.value);
    if (each.median.count > 1) {
      insert.bind(6, each.median.low);
      insert.bind(7, each.median.high);
    }
    breakeven::results::bind(insert, 8, each.low);
    breakeven::results::bind(insert, 9, each.high);
    if (each.speedup) insert.bind(10, each.speedup->ratio);
    if (each.speedup && each.speedup_has_interval) {
      insert.bind(11, each.speedup->low);
      insert.bind(12, each.speedup->high);
    }
    if (each.near_best) insert.bind(13, *each.near_best);
    insert.exec();
  }
  transaction.commit();
}

MachineId CaseInserts::machine_of(LaunchId launch) {
  fresh(machine_of_).bind(1, number(launch));
  if (const auto id = run(machine_of_)) return MachineId{*id};
  throw Error(fmt::format("there is no launch {}", number(launch)));
}

std::int64_t CaseInserts::row_of(MachineId machine, const Case& what) {
  bind_case(fresh(case_), what);
  case_.bind(std::tuple_size_v<decltype(kCaseFields)> + 1, number(machine));
  if (const auto id = run(case_)) return *id;
  throw Error("the case table returned no id");
}

std::optional<std::int64_t> CaseInserts::measurement(LaunchId launch, const Case& what,
                                                     const CaseResult& result,
                                                     const Summary& summary,
                                                     const std::string& failure) {
  const std::int64_t case_id = row_of(machine_of(launch), what);
  fresh(measurement_).clearBindings();
  SQLite::bind(measurement_, case_id, number(launch),
               static_cast<std::int64_t>(result.local.size()), failure, result.warmups,
               result.invalid, result.stop ? std::string(kStops.of(*result.stop)) : "");
  if (failure.empty()) {
    breakeven::results::bind(measurement_, 8,
                             summary.median ? summary.median : median_of(result.local));
    breakeven::results::bind(measurement_, 9, summary.low);
    breakeven::results::bind(measurement_, 10, summary.high);
  }
  breakeven::results::bind(measurement_, 11, median_of(result.global));
  if (const auto& means = result.rank_means) {
    breakeven::results::bind(measurement_, 12, means->min);
    breakeven::results::bind(measurement_, 13, means->avg);
    breakeven::results::bind(measurement_, 14, means->max);
  }
  breakeven::results::bind(measurement_, 15, summary.ended);
  if (summary.outliers) measurement_.bind(16, *summary.outliers);
  if (const auto& overlap = result.overlap) {
    int column = 17;
    for_each_field(fields(std::type_identity<Overlap>{}), [&](const auto& field) {
      breakeven::results::bind(measurement_, column++, std::optional{field.get(*overlap)});
    });
  }
  return run(measurement_);
}

}  // namespace breakeven::results
