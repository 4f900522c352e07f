// SPDX-License-Identifier: BSD-3-Clause
// A database that the program of schema version 1 made, opened by this one.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/database.hpp"
#include "results/migrate.hpp"
#include "results/test_files.hpp"
#include "results/testdata/version_1.hpp"

namespace breakeven {
namespace {

namespace fs = std::filesystem;

class FromVersion1 : public testing::Test {
 protected:
  FromVersion1() {
    SQLite::Database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(std::string(version_1()));
    before = test::bytes_of(file);
  }

  /// All rows that a query gives, as one text.
  [[nodiscard]] static std::string ask(const fs::path& database_file, const std::string& sql) {
    SQLite::Database database(database_file);
    SQLite::Statement row(database, sql);
    std::string text;
    while (row.executeStep()) {
      for (int i = 0; i < row.getColumnCount(); ++i) text += row.getColumn(i).getString() + "|";
      text += '\n';
    }
    return text;
  }

  const test::TemporaryFolder folder;
  const fs::path file = folder / "x.db";
  std::string before{};
};

TEST_F(FromVersion1, HasTheTablesOfANewDatabaseAndKeepsACopyOfTheOldOne) {
  {
    const Store store(file, Store::Access::write);
  }
  {
    const Store store(folder / "new.db", Store::Access::write);
  }
  const std::string columns =
      "SELECT t.name, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk FROM sqlite_schema t, "
      "pragma_table_info(t.name) c ORDER BY t.name, c.cid";
  const std::string references =
      "SELECT t.name, f.\"table\", f.\"from\" FROM sqlite_schema t, "
      "pragma_foreign_key_list(t.name) f "
      "ORDER BY t.name, f.id";
  const std::string indices =
      "SELECT t.name, i.\"unique\", c.name FROM sqlite_schema t, pragma_index_list(t.name) i, "
      "pragma_index_info(i.name) c ORDER BY t.name, i.seq, c.seqno";
  for (const std::string& what : {columns, references, indices}) {
    EXPECT_EQ(ask(file, what), ask(folder / "new.db", what));
  }
  EXPECT_EQ(ask(file, "PRAGMA user_version"), fmt::format("{}|\n", kSchemaVersion));
  EXPECT_EQ(ask(file, "PRAGMA foreign_key_check"), "");
  EXPECT_EQ(ask(file, "PRAGMA integrity_check"), "ok|\n");
  EXPECT_EQ(ask(folder / "x.db.v1.backup", "PRAGMA user_version"), "1|\n");
  EXPECT_EQ(ask(folder / "x.db.v1.backup", "SELECT count(*) FROM sample"), "8|\n");
}

TEST_F(FromVersion1, KeepsWhatWasMeasuredAndGivesItsMedianAnInterval) {
  const Store store(file, Store::Access::write);
  const MachineId mpich{1};
  ASSERT_EQ(store.machines().size(), 2U);
  EXPECT_TRUE(store.sweeps(mpich).empty());  // its settings are not this version's
  const std::vector<Recorded> recorded = store.recorded(mpich);
  ASSERT_EQ(recorded.size(), 1U);
  const Measurement& measurement = recorded[0].measurement;
  EXPECT_EQ(to_text(measurement.what), "allreduce/ring p=4 8 B int sum");
  EXPECT_EQ(measurement.launch, 1);
  EXPECT_EQ(measurement.samples, 7);
  EXPECT_EQ(measurement.median, Seconds{4e-6});
  // Between the first and second of seven samples from either end.
  EXPECT_TRUE(Seconds{1.0000004e-6} < measurement.low && measurement.low < Seconds{2.1e-6});
  EXPECT_TRUE(Seconds{5.9e-6} < measurement.high && measurement.high < Seconds{7e-6});
  EXPECT_TRUE(measurement.oversubscribed);
  EXPECT_EQ(recorded[0].warmups, 2);
  EXPECT_EQ(recorded[0].stopped, "");
  EXPECT_EQ(recorded[0].rank_means, std::nullopt);
  ASSERT_EQ(store.stored(mpich).size(), 2U);
  EXPECT_EQ(store.stored(mpich)[1].failure, "it hung");
}

TEST_F(FromVersion1, KeepsTheSamplesInTheirOrder) {
  const Store store(file, Store::Access::write);
  const auto samples = test::samples_of(store, MachineId{1});
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples[0].local,
            (std::vector<Seconds>{{7e-6}, {3e-6}, {4e-6}, {1e-6}, {5e-6}, {2e-6}, {6e-6}}));
  EXPECT_TRUE(samples[0].global.empty());
  EXPECT_EQ(test::samples_of(store, MachineId{2}).at(0).local, std::vector<Seconds>{{2.5e-6}});
}

TEST_F(FromVersion1, IsRefusedToAReaderAndLeftAsItWas) {
  EXPECT_NE(test::refusal(file, Store::Access::read).find("schema version 1"), std::string::npos);
  EXPECT_TRUE(test::bytes_of(file) == before);
}

TEST_F(FromVersion1, StaysAsItWasWhenASampleIsNoDuration) {
  SQLite::Database(file, SQLite::OPEN_READWRITE).exec("UPDATE sample SET duration_s = -1");
  before = test::bytes_of(file);
  EXPECT_THROW(Store(file, Store::Access::write), Error);
  EXPECT_TRUE(test::bytes_of(file) == before);
}

}  // namespace
}  // namespace breakeven
