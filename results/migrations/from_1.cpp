// SPDX-License-Identifier: BSD-3-Clause
#include "results/migrations/from_1.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "results/picoseconds.hpp"

namespace breakeven {

namespace {

/// Writes the samples of one measurement after the other.
class Writer {
 public:
  explicit Writer(SQLite::Database& database)
      : durations_(database, "INSERT INTO durations VALUES (?, ?, NULL)"),
        interval_(database, "UPDATE measurement SET low_s = ?, high_s = ? WHERE id = ?") {}

  void write(std::int64_t measurement, const std::vector<double>& seconds) {
    std::vector<Seconds> samples;
    samples.reserve(seconds.size());
    for (const double each : seconds) samples.push_back({each});
    const std::vector<std::uint8_t> bytes = encode_picoseconds(samples);
    durations_.reset();
    durations_.bind(1, measurement);
    durations_.bind(2, bytes.data(), static_cast<int>(bytes.size()));
    durations_.exec();

    const Estimate estimate = estimate_median(seconds);
    interval_.reset();
    interval_.bind(1, estimate.low);
    interval_.bind(2, estimate.high);
    interval_.bind(3, measurement);
    interval_.exec();
  }

 private:
  SQLite::Statement durations_;
  SQLite::Statement interval_;
};

void move_samples(SQLite::Database& database) {
  Writer writer(database);
  SQLite::Statement row(database,
                        "SELECT measurement_id, duration_s FROM sample "
                        "ORDER BY measurement_id, repetition");
  std::int64_t measurement = 0;
  std::vector<double> seconds;
  while (row.executeStep()) {
    const std::int64_t next = row.getColumn(0).getInt64();
    if (next != measurement && !seconds.empty()) {
      writer.write(measurement, seconds);
      seconds.clear();
    }
    measurement = next;
    seconds.push_back(row.getColumn(1).getDouble());
  }
  if (!seconds.empty()) writer.write(measurement, seconds);
}

}  // namespace

void migrate_from_1(SQLite::Database& database) {
  database.exec(std::string(tables_from_1()));
  move_samples(database);
  // In this order: each refers to the next one.
  database.exec("DROP TABLE sample; DROP TABLE measurement_1; DROP TABLE launch_1");
}

}  // namespace breakeven
