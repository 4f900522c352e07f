// SPDX-License-Identifier: BSD-3-Clause
#include "results/queries.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "results/picoseconds.hpp"
#include "results/rows.hpp"
#include "results/statements.hpp"

namespace breakeven::results {

namespace {

constexpr std::string_view kMeasurementColumns =
    "case_id, repeat, launch_id, samples, median_s, low_s, high_s, "
    "(SELECT oversubscribed FROM launch WHERE launch.id = launch_id), ended_s";
constexpr int kMeasurementWidth = 9;

constexpr std::string_view kSelectSamples =
    "SELECT {}, m.launch_id, m.repeat, m.samples, d.local_ps, d.global_ps "
    "FROM \"case\" c JOIN measurement m ON m.case_id = c.id "
    "JOIN durations d ON d.measurement_id = m.id "
    "WHERE c.machine_id = ? ORDER BY c.id, m.repeat";

constexpr std::string_view kSelectPredictions =
    "SELECT {}, n.time_s, n.low_s, n.high_s FROM \"case\" c JOIN prediction n ON n.case_id = c.id "
    "WHERE c.machine_id = ? AND "
    "n.predictor_id = (SELECT predictor.id FROM predictor WHERE predictor.text = ?)";

/// A query about one machine, in which {} are the columns of a case.
SQLite::Statement ask(SQLite::Database& database, std::string_view sql, MachineId machine) {
  SQLite::Statement row(database, fmt::format(fmt::runtime(sql), kCaseColumns));
  row.bind(1, number(machine));
  return row;
}

Case& case_of(Measurement& entry) { return entry.what; }
Case& case_of(StoredMeasurement& entry) { return entry.measurement.what; }
Case& case_of(Failure& entry) { return entry.what; }

/// One entry for each measurement of a machine, by case and repeat. The file is read in its own
/// order, and each case once: by the index every row would be a page.
/// @param columns  of measurement, the first its case_id and repeat
/// @param read  a row -> its entry, but for the case
template <typename Read>
auto select_by_case(SQLite::Database& database, MachineId machine, std::string_view columns,
                    std::string_view condition, const Read& read) {
  using Entry = std::invoke_result_t<Read, const SQLite::Statement&>;
  struct Place {
    std::int64_t case_id;
    int repeat;
    std::size_t entry;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places;
  std::vector<Entry> entries;
  const auto most = database.execAndGet("SELECT coalesce(max(id), 0) FROM measurement").getInt64();
  places.reserve(static_cast<std::size_t>(most));
  entries.reserve(static_cast<std::size_t>(most));
  SQLite::Statement row(database,
                        fmt::format("SELECT {} FROM measurement WHERE {}", columns, condition));
  while (row.executeStep()) {
    places.push_back({row.getColumn(0).getInt64(), row.getColumn(1).getInt(), entries.size()});
    entries.push_back(read(row));
  }
  if (places.empty()) return entries;
  std::ranges::sort(places);
  std::vector<Entry> found;
  found.reserve(entries.size());
  SQLite::Statement of_machine =
      ask(database, "SELECT {}, id FROM \"case\" WHERE machine_id = ? ORDER BY id", machine);
  auto place = places.begin();
  while (of_machine.executeStep()) {
    const std::int64_t id = of_machine.getColumn(kCaseWidth).getInt64();
    place = std::ranges::lower_bound(place, places.end(), id, {}, &Place::case_id);
    if (place == places.end() || place->case_id != id) continue;
    const Case what = read_case(of_machine);
    for (; place != places.end() && place->case_id == id; ++place) {
      found.push_back(std::move(entries[place->entry]));
      case_of(found.back()) = what;
    }
  }
  return found;
}

Measurement read_measurement(const SQLite::Statement& row) {
  return {.launch = row.getColumn(2).getInt64(),
          .repeat = row.getColumn(1),
          .samples = row.getColumn(3),
          .median = {row.getColumn(4).getDouble()},
          .low = {row.getColumn(5).getDouble()},
          .high = {row.getColumn(6).getDouble()},
          .oversubscribed = row.getColumn(7).getInt() != 0,
          .ended = seconds_or_null(row.getColumn(8))};
}

std::optional<int> number_or_null(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional{column.getInt()};
}

std::optional<RankMeans> read_rank_means(const SQLite::Statement& row, int column) {
  const auto min = seconds_or_null(row.getColumn(column));
  const auto avg = seconds_or_null(row.getColumn(column + 1));
  const auto max = seconds_or_null(row.getColumn(column + 2));
  if (!min || !avg || !max) return std::nullopt;
  return RankMeans{.min = *min, .avg = *avg, .max = *max};
}

std::vector<Seconds> read_durations(const SQLite::Column& blob, std::size_t count) {
  if (blob.isNull()) return {};
  return decode_picoseconds(
      {static_cast<const std::uint8_t*>(blob.getBlob()), static_cast<std::size_t>(blob.getBytes())},
      count);
}

}  // namespace

std::map<MachineId, Machine> select_machines(SQLite::Database& database) {
  std::map<MachineId, Machine> machines;
  SQLite::Statement row(
      database, "SELECT id, name, kind, library_version, cpu, settings_origin FROM machine");
  while (row.executeStep()) {
    machines[MachineId{row.getColumn(0).getInt64()}] = {
        .name = row.getColumn(1),
        .kind = kMachineKinds.parse(row.getColumn(2).getString()),
        .library_version = row.getColumn(3),
        .cpu = row.getColumn(4),
        .settings = parse_library_settings(row.getColumn(5).getString())};
  }
  return machines;
}

std::vector<std::string> select_sweeps(SQLite::Database& database, MachineId machine) {
  std::vector<std::string> requests;
  SQLite::Statement row =
      ask(database, "SELECT request FROM sweep WHERE machine_id = ? ORDER BY id", machine);
  while (row.executeStep()) requests.push_back(row.getColumn(0));
  return requests;
}

std::vector<StoredLaunch> select_launches(SQLite::Database& database, MachineId machine) {
  std::vector<StoredLaunch> launches;
  SQLite::Statement row(
      database,
      "SELECT procs, nodes, procs_per_node, mapping, repeat, seed, command, "
      "placement, environment, oversubscribed, sync, clock_sync, timer, run_time, "
      "outliers_dropped, started_at, id, json_extract(facts, '$.start_s'), "
      "CASE outcome WHEN 'complete' THEN 86400 * (julianday(ended_at) - julianday(started_at)) "
      "END, oversubscribed * json_extract(facts, '$.cores') * 1.0 / "
      "max(1, json_extract(facts, '$.nodes_on_kernel')) FROM "
      "(SELECT *, iif(json_valid(environment), environment, '{}') AS facts FROM launch) "
      "WHERE machine_id = ? ORDER BY id");
  row.bind(1, number(machine));
  SQLite::Statement calibration(database,
                                "SELECT probe, time_s FROM calibration WHERE launch_id = ?");
  const auto method = [&](const auto& names, int column) {
    return names.find(row.getColumn(column).getString());
  };
  while (row.executeStep()) {
    launches.push_back(
        {.launch = {.layout = {.procs = row.getColumn(0),
                               .nodes = row.getColumn(1),
                               .procs_per_node = row.getColumn(2),
                               .mapping = Mapping::parse(row.getColumn(3).getString())},
                    .repeat = row.getColumn(4),
                    .seed = static_cast<std::uint64_t>(row.getColumn(5).getInt64()),
                    .command = row.getColumn(6),
                    .placement = row.getColumn(7),
                    .environment = row.getColumn(8),
                    .oversubscribed = row.getColumn(9).getInt() != 0,
                    .sync = method(kSyncMethods, 10),
                    .clock_sync = method(kClockSyncs, 11),
                    .timer = method(kTimers, 12),
                    .run_time = kRunTimes.parse(row.getColumn(13).getString()),
                    .outliers_dropped = row.getColumn(14).getInt() != 0},
         .started_at = row.getColumn(15),
         .id = LaunchId{row.getColumn(16).getInt64()},
         .start = seconds_or_null(row.getColumn(17)),
         .lasted = seconds_or_null(row.getColumn(18)),
         .cores = row.getColumn(19)});
    calibration.reset();
    calibration.bind(1, row.getColumn(16).getInt64());
    while (calibration.executeStep()) {
      launches.back().launch.calibration[kProbes.parse(calibration.getColumn(0).getString())] = {
          calibration.getColumn(1).getDouble()};
    }
  }
  return launches;
}

std::string select_inspection(SQLite::Database& database, MachineId machine) {
  SQLite::Statement row =
      ask(database, "SELECT report FROM inspection WHERE machine_id = ? ORDER BY id DESC LIMIT 1",
          machine);
  return row.executeStep() ? row.getColumn(0).getString() : std::string{};
}

std::vector<Failure> select_failures(SQLite::Database& database, MachineId machine) {
  return select_by_case(database, machine, "case_id, repeat, failure", "failure IS NOT NULL",
                        [](const SQLite::Statement& row) {
                          return Failure{.repeat = row.getColumn(1),
                                         .reason = row.getColumn(2).getString()};
                        });
}

std::vector<Measurement> select_measurements(SQLite::Database& database, MachineId machine) {
  return select_by_case(database, machine, kMeasurementColumns, "failure IS NULL",
                        read_measurement);
}

std::vector<StoredMeasurement> select_stored_measurements(SQLite::Database& database,
                                                          MachineId machine) {
  const std::string columns = fmt::format(
      "{}, global_median_s, rank_mean_min_s, rank_mean_avg_s, rank_mean_max_s, warmups, invalid, "
      "outliers, stopped",
      kMeasurementColumns);
  return select_by_case(
      database, machine, columns, "failure IS NULL", [](const SQLite::Statement& row) {
        constexpr int kNext = kMeasurementWidth;
        return StoredMeasurement{.measurement = read_measurement(row),
                                 .global_median = seconds_or_null(row.getColumn(kNext)),
                                 .rank_means = read_rank_means(row, kNext + 1),
                                 .warmups = row.getColumn(kNext + 4),
                                 .invalid = row.getColumn(kNext + 5),
                                 .outliers = number_or_null(row.getColumn(kNext + 6)),
                                 .stopped = row.getColumn(kNext + 7)};
      });
}

Predictions select_predictions(SQLite::Database& database, MachineId machine,
                               const std::string& predictor) {
  Predictions predictions;
  SQLite::Statement row = ask(database, kSelectPredictions, machine);
  row.bind(2, predictor);
  while (row.executeStep()) {
    predictions[read_case(row)] = {.time = {row.getColumn(kCaseWidth).getDouble()},
                                   .low = seconds_or_null(row.getColumn(kCaseWidth + 1)),
                                   .high = seconds_or_null(row.getColumn(kCaseWidth + 2))};
  }
  return predictions;
}

void visit_samples(SQLite::Database& database, MachineId machine,
                   const std::function<void(const CaseSamples&)>& visit) {
  SQLite::Statement row = ask(database, kSelectSamples, machine);
  while (row.executeStep()) {
    CaseSamples samples{.what = read_case(row),
                        .launch = LaunchId{row.getColumn(kCaseWidth).getInt64()},
                        .repeat = row.getColumn(kCaseWidth + 1)};
    const auto count = static_cast<std::size_t>(row.getColumn(kCaseWidth + 2).getInt64());
    try {
      samples.local = read_durations(row.getColumn(kCaseWidth + 3), count);
      samples.global = read_durations(row.getColumn(kCaseWidth + 4), count);
    } catch (const Error& error) {
      throw Error(
          fmt::format("{}, repeat {}: {}", to_text(samples.what), samples.repeat, error.what()));
    }
    visit(samples);
  }
}

}  // namespace breakeven::results
