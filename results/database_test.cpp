// SPDX-License-Identifier: BSD-3-Clause
// Files that a store accepts, files that it refuses, and the disk afterwards.
#include "results/database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "results/testing.hpp"

namespace breakeven::results {
namespace {

namespace fs = std::filesystem;
using Access = Store::Access;
using results::testing::bytes_of;
using results::testing::refusal;
using test::TemporaryFolder;

void make_results(const fs::path& file) { const Store store(file, Access::write); }

void run_sql(const fs::path& file, const char* sql) {
  SQLite::Database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
}

/// Neither access takes the file; both say `why` and its name in one line and change nothing.
void expect_refused(const TemporaryFolder& folder, const fs::path& file, const std::string& why) {
  const std::string before = bytes_of(file);
  const auto files = folder.entries();
  for (const Access access : {Access::read, Access::write}) {
    const std::string message = refusal(file, access);
    EXPECT_NE(message.find("'" + file.string() + "'"), std::string::npos) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_TRUE(bytes_of(file) == before);
    EXPECT_EQ(folder.entries(), files);
  }
}

TEST(Database, IsMadeByTheFirstWriterInTheCurrentVersion) {
  const TemporaryFolder folder;
  make_results(folder / "x.db");
  EXPECT_EQ(refusal(folder / "x.db", Access::read), "");
  SQLite::Database database = open_to_read(folder / "x.db", Store::kPatience);
  EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), kSchemaVersion);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Database, IsMadeInAnEmptyFile) {
  const TemporaryFolder folder;
  std::ofstream(folder / "x.db").flush();
  EXPECT_NE(refusal(folder / "x.db", Access::read), "");
  EXPECT_EQ(refusal(folder / "x.db", Access::write), "");
  EXPECT_EQ(refusal(folder / "x.db", Access::read), "");
}

TEST(Database, IsNotChangedByOpeningIt) {
  const TemporaryFolder folder;
  make_results(folder / "x.db");
  const std::string before = bytes_of(folder / "x.db");
  EXPECT_EQ(refusal(folder / "x.db", Access::read), "");
  EXPECT_EQ(refusal(folder / "x.db", Access::write), "");
  EXPECT_TRUE(bytes_of(folder / "x.db") == before);
}

TEST(Database, NamesThatSqliteTakesForSomethingElseAreFiles) {
  const TemporaryFolder folder;
  const fs::path here = fs::current_path();
  fs::current_path(folder.path());
  make_results(":memory:");
  fs::current_path(here);
  EXPECT_TRUE(fs::exists(folder / ":memory:"));
  EXPECT_NE(refusal("", Access::write), "");
}

TEST(Database, AMissingFileIsRefusedToAReader) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(folder / "x.db", Access::read),
            "there is no results database '" + (folder / "x.db").string() + "'; a sweep makes one");
  EXPECT_EQ(folder.entries(), 0);
  std::ofstream(folder / "x.db") << "";
  EXPECT_EQ(refusal(folder / "x.db", Access::read),
            "'" + (folder / "x.db").string() + "' is empty; a sweep fills it");
}

TEST(Database, AMissingFolderIsRefusedToAWriter) {
  const TemporaryFolder folder;
  const std::string message = refusal(folder / "none" / "x.db", Access::write);
  EXPECT_NE(message.find("its folder: No such file or directory"), std::string::npos) << message;
  EXPECT_EQ(folder.entries(), 0);
  std::ofstream(folder / "file") << "";
  EXPECT_NE(refusal(folder / "file" / "x.db", Access::write).find("its folder: is a file"),
            std::string::npos);
}

TEST(Database, AFolderIsRefused) {
  const TemporaryFolder folder;
  for (const Access access : {Access::read, Access::write}) {
    EXPECT_EQ(refusal(folder.path(), access),
              "'" + folder.path().string() +
                  "' is not a results database: it is a folder or a device, not a file");
  }
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Database, TextIsRefused) {
  const TemporaryFolder folder;
  std::ofstream(folder / "short.txt") << "short";
  expect_refused(folder, folder / "short.txt", "can't be read as an SQLite file");
  std::ofstream(folder / "long.txt") << std::string(5000, 'x');
  expect_refused(folder, folder / "long.txt", "can't be read as an SQLite file");
}

TEST(Database, AnotherProgramsSqliteFileIsRefused) {
  const TemporaryFolder folder;
  run_sql(folder / "x.db", "CREATE TABLE launch (id)");
  expect_refused(folder, folder / "x.db", "another program");
}

// SQLite itself would move a write-ahead log into the file on closing it.
TEST(Database, AnotherProgramsWriteAheadLogStaysAsItIs) {
  const TemporaryFolder folder;
  SQLite::Database other(folder / "live.db", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  other.exec("PRAGMA journal_mode = WAL");
  other.exec("CREATE TABLE a (b)");
  fs::copy_file(folder / "live.db", folder / "x.db");
  fs::copy_file(folder / "live.db-wal", folder / "x.db-wal");
  const std::string log = bytes_of(folder / "x.db-wal");
  expect_refused(folder, folder / "x.db", "another program");
  EXPECT_TRUE(bytes_of(folder / "x.db-wal") == log);
}

TEST(Database, AnotherVersionIsRefused) {
  const TemporaryFolder folder;
  for (const int version : {0, kSchemaVersion - 1, kSchemaVersion + 1}) {
    const fs::path file = folder / fmt::format("{}.db", version);
    make_results(file);
    run_sql(file, fmt::format("PRAGMA user_version = {}", version).c_str());
    expect_refused(
        folder, file,
        fmt::format("has schema version {}, but this program reads and writes version {} alone",
                    version, kSchemaVersion));
  }
}

TEST(Database, ADamagedFileIsRefused) {
  const TemporaryFolder folder;
  make_results(folder / "x.db");
  fs::resize_file(folder / "x.db", fs::file_size(folder / "x.db") / 2);
  expect_refused(folder, folder / "x.db", "malformed");
}

TEST(Database, AMissingTableIsRefused) {
  const TemporaryFolder folder;
  make_results(folder / "x.db");
  run_sql(folder / "x.db", "DROP TABLE durations");
  expect_refused(folder, folder / "x.db", "no such table");
}

/// While it lives, files have their permissions: root would pass over them.
class OrdinaryUser {
 public:
  OrdinaryUser() { become(was_ == 0 ? kNobody : was_); }
  ~OrdinaryUser() { become(was_); }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  static void become(uid_t user) {
    if (seteuid(user) != 0) std::abort();
  }
  uid_t was_ = geteuid();
};

TEST(Database, AReadOnlyFileCanBeReadAndIsRefusedToAWriter) {
  const TemporaryFolder folder;
  make_results(folder / "x.db");
  fs::permissions(folder / "x.db", fs::perms{0444});
  const std::string before = bytes_of(folder / "x.db");
  const OrdinaryUser user;
  EXPECT_EQ(refusal(folder / "x.db", Access::read), "");
  const std::string message = refusal(folder / "x.db", Access::write);
  EXPECT_NE(message.find("x.db' can't be written"), std::string::npos) << message;
  EXPECT_TRUE(bytes_of(folder / "x.db") == before);
}

TEST(Database, AFileOrFolderThatCanNotBeReadIsRefused) {
  const TemporaryFolder folder;
  make_results(folder / "x.db");
  fs::permissions(folder / "x.db", fs::perms::none);
  fs::create_directory(folder / "locked");
  fs::permissions(folder / "locked", fs::perms::none);
  const OrdinaryUser user;
  for (const Access access : {Access::read, Access::write}) {
    EXPECT_NE(refusal(folder / "x.db", access).find("x.db'"), std::string::npos);
    EXPECT_NE(refusal(folder / "locked" / "x.db", access).find("Permission denied"),
              std::string::npos);
  }
}

TEST(Database, AReadOnlyFolderIsRefusedToAWriter) {
  const TemporaryFolder folder;
  make_results(folder / "x.db");
  fs::permissions(folder / "x.db", fs::perms::all);
  fs::permissions(folder.path(), fs::perms{0555});
  const OrdinaryUser user;
  EXPECT_EQ(refusal(folder / "x.db", Access::read), "");
  for (const char* file : {"x.db", "new.db"}) {
    const std::string message = refusal(folder / file, Access::write);
    EXPECT_NE(message.find("can't be written"), std::string::npos) << message;
  }
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Database, NoFileStaysBehindWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  {
    const results::testing::FullDisk disk(6000);
    EXPECT_NE(refusal(folder / "x.db", Access::write), "");
  }
  EXPECT_EQ(folder.entries(), 0);
  EXPECT_EQ(refusal(folder / "x.db", Access::write), "");
}

}  // namespace
}  // namespace breakeven::results
