// SPDX-License-Identifier: BSD-3-Clause
#include "results/queries.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <string_view>

#include "results/rows.hpp"

namespace breakeven {

namespace {

constexpr std::string_view kSelectStored =
    "SELECT {}, m.repeat, ifnull(m.failure, '') "
    "FROM \"case\" c JOIN measurement m ON m.case_id = c.id "
    "WHERE c.machine_id = ? ORDER BY c.id, m.repeat";

constexpr std::string_view kSelectMeasurements =
    "SELECT {}, m.launch_id, m.repeat, m.samples, m.median_s, "
    "(SELECT oversubscribed FROM launch WHERE launch.id = m.launch_id) "
    "FROM \"case\" c JOIN measurement m ON m.case_id = c.id "
    "WHERE c.machine_id = ? AND m.failure IS NULL ORDER BY c.id, m.repeat";

constexpr std::string_view kSelectSamples =
    "SELECT s.duration_s FROM \"case\" c JOIN measurement m ON m.case_id = c.id "
    "JOIN sample s ON s.measurement_id = m.id "
    "WHERE ({}) = ({}) AND c.machine_id = ?12 AND m.repeat = ?13 ORDER BY s.repetition";

}  // namespace

std::map<MachineId, Machine> select_machines(SQLite::Database& database) {
  std::map<MachineId, Machine> machines;
  SQLite::Statement row(database, "SELECT id, name, kind, library_version, cpu FROM machine");
  while (row.executeStep()) {
    machines[MachineId{row.getColumn(0).getInt64()}] = {
        .name = row.getColumn(1),
        .kind = kMachineKinds.parse(row.getColumn(2).getString()),
        .library_version = row.getColumn(3),
        .cpu = row.getColumn(4)};
  }
  return machines;
}

std::vector<std::string> select_sweeps(SQLite::Database& database, MachineId machine) {
  std::vector<std::string> requests;
  SQLite::Statement row(database, "SELECT request FROM sweep WHERE machine_id = ? ORDER BY id");
  row.bind(1, static_cast<std::int64_t>(machine));
  while (row.executeStep()) requests.push_back(row.getColumn(0));
  return requests;
}

std::vector<Stored> select_stored(SQLite::Database& database, MachineId machine) {
  std::vector<Stored> stored;
  SQLite::Statement row(database, fmt::format(kSelectStored, kCaseColumns));
  row.bind(1, static_cast<std::int64_t>(machine));
  while (row.executeStep()) {
    stored.push_back({.what = read_case(row),
                      .repeat = row.getColumn(kCaseWidth),
                      .failure = row.getColumn(kCaseWidth + 1)});
  }
  return stored;
}

std::vector<Measurement> select_measurements(SQLite::Database& database, MachineId machine) {
  std::vector<Measurement> measurements;
  SQLite::Statement row(database, fmt::format(kSelectMeasurements, kCaseColumns));
  row.bind(1, static_cast<std::int64_t>(machine));
  while (row.executeStep()) {
    measurements.push_back({.what = read_case(row),
                            .launch = row.getColumn(kCaseWidth).getInt64(),
                            .repeat = row.getColumn(kCaseWidth + 1),
                            .samples = row.getColumn(kCaseWidth + 2),
                            .median = {row.getColumn(kCaseWidth + 3).getDouble()},
                            .oversubscribed = row.getColumn(kCaseWidth + 4).getInt() != 0});
  }
  return measurements;
}

std::vector<Seconds> select_samples(SQLite::Database& database, MachineId machine, const Case& what,
                                    int repeat) {
  std::vector<Seconds> samples;
  SQLite::Statement row(database, fmt::format(kSelectSamples, kCaseColumns, kCaseParameters));
  bind_case(row, what);
  row.bind(kCaseWidth + 1, static_cast<std::int64_t>(machine));
  row.bind(kCaseWidth + 2, repeat);
  while (row.executeStep()) samples.push_back({row.getColumn(0).getDouble()});
  return samples;
}

}  // namespace breakeven
