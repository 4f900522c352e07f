// SPDX-License-Identifier: BSD-3-Clause
#include "results/migrate.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <array>

#include "core/error.hpp"
#include "results/database.hpp"
#include "results/test_files.hpp"

namespace breakeven {
namespace {

using test::bytes_of;

/// A results database of the current version in which one machine stands, and steps beyond it.
class MigrationTest : public testing::Test {
 protected:
  MigrationTest() {
    Store store(file, Store::Access::write);
    (void)store.add(Machine{.name = "mpich"});
  }

  void migrate_with(std::span<const Migration> steps) const {
    SQLite::Database database = open_to_write(file, Store::kPatience);
    migrate(database, file, steps);
  }

  [[nodiscard]] static std::string machines(const std::filesystem::path& database,
                                            const char* column) {
    return SQLite::Database(database).execAndGet(std::string("SELECT ") + column + " FROM machine");
  }

  [[nodiscard]] static int version(const std::filesystem::path& file) {
    SQLite::Database database(file);
    return schema_version(database);
  }

  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "x.db";
  const std::filesystem::path backup = folder / "x.db.v3.backup";
};

void run(SQLite::Database& database, const char* sql) { database.exec(sql); }

/// Two steps beyond those of this program.
constexpr std::array<Migration, 4> kSteps{
    migrate_from_1, migrate_from_2,
    [](SQLite::Database& database) {
      run(database, "ALTER TABLE machine ADD COLUMN site TEXT NOT NULL DEFAULT 'here'");
    },
    [](SQLite::Database& database) {
      run(database, "UPDATE machine SET site = site || ' and there'");
      run(database, "CREATE TABLE city (id INTEGER PRIMARY KEY)");
    }};

TEST_F(MigrationTest, RunsTheMissingStepsInOrderAndKeepsTheData) {
  migrate_with(kSteps);
  EXPECT_EQ(version(file), 5);
  EXPECT_EQ(machines(file, "name"), "mpich");
  EXPECT_EQ(machines(file, "site"), "here and there");
}

TEST_F(MigrationTest, LeavesACopyOfTheVersionThatItFound) {
  migrate_with(kSteps);
  EXPECT_EQ(version(backup), 3);
  EXPECT_EQ(machines(backup, "name"), "mpich");
}

TEST_F(MigrationTest, StartsAtTheVersionOfTheFile) {
  migrate_with(std::span(kSteps).first(3));
  EXPECT_EQ(version(file), 4);
  SQLite::Database database(file, SQLite::OPEN_READWRITE);
  migrate(database, file, kSteps);
  EXPECT_EQ(version(file), 5);
  EXPECT_EQ(machines(file, "site"), "here and there");
  EXPECT_EQ(version(folder / "x.db.v4.backup"), 4);
}

TEST_F(MigrationTest, AFailingStepLeavesTheFileAsItWas) {
  const std::string before = bytes_of(file);
  const std::array<Migration, 5> steps{
      kSteps[0], kSteps[1], kSteps[2], kSteps[3],
      [](SQLite::Database& database) { run(database, "INSERT INTO nowhere VALUES (1)"); }};
  try {
    migrate_with(steps);
    FAIL() << "the step into no table went through";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "'" + file.string() +
                  "' can't be brought from schema version 3 to 6: no such table: nowhere; it is as "
                  "it was");
  }
  EXPECT_TRUE(bytes_of(file) == before);
  EXPECT_EQ(version(file), 3);
}

TEST_F(MigrationTest, DoesNothingToACurrentFile) {
  const std::string before = bytes_of(file);
  migrate_with({});
  EXPECT_TRUE(bytes_of(file) == before);
  EXPECT_FALSE(std::filesystem::exists(backup));
}

TEST_F(MigrationTest, IsRefusedWhereNoCopyCanBeMade) {
  std::filesystem::create_directory(backup);
  const std::string before = bytes_of(file);
  EXPECT_THROW(migrate_with(kSteps), Error);
  EXPECT_TRUE(bytes_of(file) == before);
}

}  // namespace
}  // namespace breakeven
