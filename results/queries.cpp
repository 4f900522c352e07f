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
#include "results/statements.hpp"

namespace breakeven::results {

namespace {

constexpr std::string_view kMeasurementColumns =
    "launch_id, samples, median_s, low_s, high_s, "
    "(SELECT oversubscribed FROM launch WHERE launch.id = launch_id), ended_s, tested_s";

constexpr std::string_view kSelectLaunches =
    "SELECT procs, nodes, procs_per_node, mapping, repeat, seed, command, placement, environment, "
    "oversubscribed, sync, clock_sync, timer, run_time, outliers_dropped, started_at, id, "
    "json_extract(facts, '$.start_s'), "
    "CASE outcome WHEN 'complete' THEN 86400 * (julianday(ended_at) - julianday(started_at)) END, "
    "oversubscribed * json_extract(facts, '$.cores') * 1.0 / "
    "max(1, json_extract(facts, '$.nodes_on_kernel')) FROM "
    "(SELECT *, iif(json_valid(environment), environment, '{}') AS facts FROM launch) "
    "WHERE machine_id = ? ORDER BY id";

constexpr std::string_view kSelectSamples =
    "SELECT {}, m.launch_id, m.repeat, m.samples, d.local_ps, d.global_ps "
    "FROM \"case\" c JOIN measurement m ON m.case_id = c.id "
    "JOIN durations d ON d.measurement_id = m.id "
    "WHERE c.machine_id = ? ORDER BY c.id, m.repeat";

constexpr std::string_view kSelectPredictions =
    "SELECT {}, n.time_s, n.low_s, n.high_s FROM \"case\" c JOIN prediction n ON n.case_id = c.id "
    "WHERE c.machine_id = ? AND "
    "n.predictor_id = (SELECT predictor.id FROM predictor WHERE predictor.text = ?)";

Case& case_of(Measurement& entry) { return entry.what; }
Case& case_of(StoredMeasurement& entry) { return entry.measurement.what; }
Case& case_of(Failure& entry) { return entry.what; }

/// One entry for each measurement of a machine, by case and repeat. The file is read in its own
/// order, and each case once: by the index every row would be a page.
/// @param columns  of measurement
/// @param read  a row and its repeat -> its entry without the case
template <typename Read>
auto select_by_case(SQLite::Database& database, MachineId machine, std::string_view columns,
                    std::string_view condition, const Read& read) {
  using Entry = std::invoke_result_t<Read, Columns&, int>;
  struct Place {
    std::int64_t case_id;
    int repeat;
    std::size_t entry;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places;
  std::vector<Entry> entries;
  visit_rows(
      database,
      fmt::format("SELECT case_id, repeat, {} FROM measurement WHERE {}", columns, condition),
      [&](Columns& row) {
        const std::int64_t case_id = row.next();
        const int repeat = row.next();
        places.push_back({case_id, repeat, entries.size()});
        entries.push_back(read(row, repeat));
      });
  std::vector<Entry> found;
  if (places.empty()) return found;
  std::ranges::sort(places);
  found.reserve(entries.size());
  auto place = places.begin();
  visit_rows(
      database,
      fmt::format("SELECT id, {} FROM \"case\" WHERE machine_id = ? ORDER BY id", kCaseColumns),
      [&](Columns& row) {
        const std::int64_t id = row.next();
        place = std::ranges::lower_bound(place, places.end(), id, {}, &Place::case_id);
        if (place == places.end() || place->case_id != id) return;
        const Case what = read_case(row);
        for (; place != places.end() && place->case_id == id; ++place) {
          found.push_back(std::move(entries[place->entry]));
          case_of(found.back()) = what;
        }
      },
      number(machine));
  return found;
}

Measurement read_measurement(Columns& row, int repeat) {
  return {.launch = row.next().getInt64(),
          .repeat = repeat,
          .samples = row.next(),
          .median = row.seconds(),
          .low = row.seconds(),
          .high = row.seconds(),
          .oversubscribed = row.flag(),
          .ended = row.seconds_or_null(),
          .tested = row.seconds_or_null()};
}

std::optional<int> number_or_null(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional{column.getInt()};
}

std::optional<RankMeans> read_rank_means(Columns& row) {
  const auto min = row.seconds_or_null();
  const auto avg = row.seconds_or_null();
  const auto max = row.seconds_or_null();
  if (!min || !avg || !max) return std::nullopt;
  return RankMeans{.min = *min, .avg = *avg, .max = *max};
}

std::optional<Overlap> read_overlap(Columns& row) {
  Overlap overlap;
  bool known = true;
  for_each_field(fields(std::type_identity<Overlap>{}), [&]<typename F>(const F& field) {
    const std::optional<Seconds> value = row.seconds_or_null();
    if constexpr (std::is_same_v<ValueOf<Overlap, F>, Seconds>) {
      known = known && value;
      field.set(overlap, value.value_or(Seconds{}));
    } else {
      field.set(overlap, value);
    }
  });
  return known ? std::optional{overlap} : std::nullopt;
}

Launch read_launch(Columns& row) {
  return {.layout = {.procs = row.next(),
                     .nodes = row.next(),
                     .procs_per_node = row.next(),
                     .mapping = Mapping::parse(row.text())},
          .repeat = row.next(),
          .seed = static_cast<std::uint64_t>(row.next().getInt64()),
          .command = row.next(),
          .placement = row.next(),
          .environment = row.next(),
          .oversubscribed = row.flag(),
          .sync = kSyncMethods.find(row.text()),
          .clock_sync = kClockSyncs.find(row.text()),
          .timer = kTimers.find(row.text()),
          .run_time = kRunTimes.parse(row.text()),
          .outliers_dropped = row.flag()};
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
  visit_rows(database, "SELECT id, name, kind, library_version, cpu, settings_origin FROM machine",
             [&](Columns& row) {
               const MachineId id{row.next().getInt64()};
               machines[id] = {.name = row.next(),
                               .kind = kMachineKinds.parse(row.text()),
                               .library_version = row.next(),
                               .cpu = row.next(),
                               .settings = parse_library_settings(row.text())};
             });
  return machines;
}

LibraryCapabilities select_capabilities(SQLite::Database& database, MachineId machine) {
  LibraryCapabilities capabilities;
  visit_rows(
      database,
      "SELECT form, collective, name, value FROM library_algorithm WHERE machine_id = ? "
      "ORDER BY collective, value",
      [&](Columns& row) {
        std::vector<ListedAlgorithm>& listed = capabilities.of(kCallForms.parse(row.text()));
        listed.push_back({.collective = kCollectives.parse(row.text()),
                          .name = row.next(),
                          .value = row.next()});
      },
      number(machine));
  visit_rows(
      database, "SELECT name, json FROM default_tree WHERE machine_id = ? ORDER BY id",
      [&](Columns& row) {
        capabilities.default_trees.push_back({.name = row.next(), .json = row.next()});
      },
      number(machine));
  visit_rows(
      database,
      "SELECT 1 FROM launch WHERE machine_id = ? AND json_valid(environment) AND "
      "json_extract(environment, '$.shares_memory') = 0 LIMIT 1",
      [&](Columns&) { capabilities.shares_memory = false; }, number(machine));
  return capabilities;
}

std::vector<std::string> select_sweeps(SQLite::Database& database, MachineId machine) {
  std::vector<std::string> requests;
  visit_rows(
      database, "SELECT request FROM sweep WHERE machine_id = ? ORDER BY id",
      [&](Columns& row) { requests.push_back(row.text()); }, number(machine));
  return requests;
}

std::vector<StoredLaunch> select_launches(SQLite::Database& database, MachineId machine) {
  std::vector<StoredLaunch> launches;
  visit_rows(
      database, std::string(kSelectLaunches),
      [&](Columns& row) {
        launches.push_back({.launch = read_launch(row),
                            .started_at = row.next(),
                            .id = LaunchId{row.next().getInt64()},
                            .start = row.seconds_or_null(),
                            .lasted = row.seconds_or_null(),
                            .cores = row.next()});
        Calibration& calibration = launches.back().launch.calibration;
        visit_rows(
            database, "SELECT probe, time_s FROM calibration WHERE launch_id = ?",
            [&](Columns& of_probe) {
              const Probe probe = kProbes.parse(of_probe.text());
              calibration[probe] = of_probe.seconds();
            },
            number(launches.back().id));
      },
      number(machine));
  return launches;
}

std::string select_inspection(SQLite::Database& database, MachineId machine) {
  std::string report;
  visit_rows(
      database, "SELECT report FROM inspection WHERE machine_id = ? ORDER BY id DESC LIMIT 1",
      [&](Columns& row) { report = row.text(); }, number(machine));
  return report;
}

std::vector<Failure> select_failures(SQLite::Database& database, MachineId machine) {
  return select_by_case(
      database, machine, "failure", "failure IS NOT NULL",
      [](Columns& row, int repeat) { return Failure{.repeat = repeat, .reason = row.text()}; });
}

std::vector<Measurement> select_measurements(SQLite::Database& database, MachineId machine) {
  return select_by_case(database, machine, kMeasurementColumns, "failure IS NULL",
                        read_measurement);
}

std::vector<StoredMeasurement> select_stored_measurements(SQLite::Database& database,
                                                          MachineId machine) {
  const std::string columns = fmt::format(
      "{}, global_median_s, rank_mean_min_s, rank_mean_avg_s, rank_mean_max_s, warmups, invalid, "
      "outliers, stopped, start_s, make_s, call_s, work_s, worked_s, tested_s, test_every_s",
      kMeasurementColumns);
  return select_by_case(database, machine, columns, "failure IS NULL",
                        [](Columns& row, int repeat) {
                          return StoredMeasurement{.measurement = read_measurement(row, repeat),
                                                   .global_median = row.seconds_or_null(),
                                                   .rank_means = read_rank_means(row),
                                                   .warmups = row.next(),
                                                   .invalid = row.next(),
                                                   .outliers = number_or_null(row.next()),
                                                   .stopped = row.next(),
                                                   .overlap = read_overlap(row)};
                        });
}

Predictions select_predictions(SQLite::Database& database, MachineId machine,
                               const std::string& predictor) {
  Predictions predictions;
  visit_rows(
      database, fmt::format(kSelectPredictions, kCaseColumns),
      [&](Columns& row) {
        const Case what = read_case(row);
        predictions[what] = {
            .time = row.seconds(), .low = row.seconds_or_null(), .high = row.seconds_or_null()};
      },
      number(machine), predictor);
  return predictions;
}

void visit_samples_of(SQLite::Database& database, MachineId machine,
                      const std::function<void(const CaseSamples&)>& visit) {
  const auto visit_row = [&](Columns& row) {
    CaseSamples samples{
        .what = read_case(row), .launch = LaunchId{row.next().getInt64()}, .repeat = row.next()};
    const auto count = static_cast<std::size_t>(row.next().getInt64());
    try {
      samples.local = read_durations(row.next(), count);
      samples.global = read_durations(row.next(), count);
    } catch (const Error& error) {
      throw Error(
          fmt::format("{}, repeat {}: {}", to_text(samples.what), samples.repeat, error.what()));
    }
    visit(samples);
  };
  visit_rows(database, fmt::format(kSelectSamples, kCaseColumns), visit_row, number(machine));
}

}  // namespace breakeven::results
