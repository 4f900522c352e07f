// SPDX-License-Identifier: BSD-3-Clause
#include "results/merge.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "results/claim.hpp"
#include "results/testing.hpp"

namespace breakeven::results {
namespace {

namespace fs = std::filesystem;

const std::vector kOne{Seconds{1}};
const std::vector kTwo{Seconds{2}};
const Machine kMachine{.name = "mpich", .library_version = "MPICH 4", .cpu = "here"};
const Case kRing{.variant = Ours{"ring"}, .procs = 4, .message = {8}, .op = Op::sum};
const Case kBruck{.variant = Ours{"bruck"}, .procs = 4, .message = {8}, .op = Op::sum};

class MergeTest : public ::testing::Test {
 protected:
  /// A database in which one launch, told from others by its seed, measured these cases.
  fs::path database(const char* name, std::uint64_t seed, const std::vector<Case>& cases,
                    const Machine& machine = kMachine) {
    const fs::path file = folder / name;
    Store store{file, Store::Access::write};
    const MachineId id = store.add(machine);
    store.remember(id, "asked = \"" + std::string{name} + "\"");
    store.remember(id, LibraryCapabilities{.algorithms = {{Collective::allreduce, "ring", 4}}});
    const LaunchId launch = store.begin(id, {.layout = {.procs = 4}, .repeat = 0, .seed = seed});
    for (const Case& what : cases) store.add(launch, what, {.local = kOne});
    store.end(launch, "complete");
    return file;
  }

  MergeSummary merge(const std::vector<fs::path>& in) { return merge_databases(out, in); }

  std::int64_t ask(const std::string& sql) const {
    return SQLite::Database(out.string()).execAndGet(sql).getInt64();
  }

  const test::TemporaryFolder folder;
  const fs::path out = folder / "out.db";
};

TEST_F(MergeTest, HoldsWhatTheDatabasesHold) {
  const fs::path first = database("first.db", 1, {kRing});
  const fs::path second = database("second.db", 2, {kBruck});
  const MergeSummary summary = merge({first, second});
  EXPECT_EQ(summary.added, 2);
  EXPECT_EQ(summary.known + summary.renumbered + summary.skipped, 0);
  const Store store{out, Store::Access::read};
  ASSERT_EQ(store.machines().size(), 1U);
  const auto [id, machine] = *store.machines().begin();
  EXPECT_EQ(machine, kMachine);
  EXPECT_EQ(store.sweeps(id).size(), 2U);
  EXPECT_EQ(store.capabilities(id).algorithms.size(), 1U);
  const std::vector<CaseSamples> samples = results::testing::samples_of(store, id);
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_NE(samples[0].what, samples[1].what);
  EXPECT_NE(samples[0].launch, samples[1].launch);
  for (const CaseSamples& each : samples) EXPECT_EQ(each.local, std::vector<Seconds>{Seconds{1}});
  EXPECT_EQ(ask("SELECT count(*) FROM launch WHERE outcome = 'complete'"), 2);
}

TEST_F(MergeTest, AgainItChangesNothing) {
  const fs::path first = database("first.db", 1, {kRing, kBruck});
  const fs::path second = database("second.db", 2, {kRing});
  static_cast<void>(merge({first, second}));
  const std::string dump =
      "SELECT group_concat(id || '/' || case_id || '/' || launch_id || '/' || "
      "repeat) FROM measurement";
  const std::string before = SQLite::Database(out.string()).execAndGet(dump).getString();
  const MergeSummary summary = merge({second, first, second});
  EXPECT_EQ(summary.added, 0);
  EXPECT_EQ(summary.known, 4);
  EXPECT_EQ(summary.renumbered, 0);
  EXPECT_EQ(SQLite::Database(out.string()).execAndGet(dump).getString(), before);
  for (const char* table : {"machine", "sweep", "launch", "\"case\"", "durations"}) {
    const auto rows = ask(std::string{"SELECT count(*) FROM "} + table);
    EXPECT_LE(rows, 3) << table;
  }
}

TEST_F(MergeTest, LaunchesThatMeasuredTheSameRepeatAreBothKept) {
  const fs::path first = database("first.db", 1, {kRing, kBruck});
  const fs::path second = database("second.db", 2, {kRing});
  const MergeSummary summary = merge({first, second});
  EXPECT_EQ(summary.added, 3);
  EXPECT_EQ(summary.renumbered, 1);
  EXPECT_EQ(ask("SELECT count(DISTINCT repeat) FROM measurement JOIN \"case\" ON \"case\".id = "
                "case_id WHERE algorithm = 'ring'"),
            2);
  EXPECT_EQ(ask("SELECT count(*) FROM measurement JOIN launch ON launch.id = launch_id WHERE "
                "measurement.repeat <> launch.repeat"),
            0);
}

TEST_F(MergeTest, OtherProcessorsAreOtherMachines) {
  Machine other = kMachine;
  other.cpu = "there";
  const MergeSummary summary =
      merge({database("here.db", 1, {kRing}), database("there.db", 1, {kRing}, other)});
  EXPECT_EQ(summary.added, 2);
  EXPECT_EQ(summary.renumbered, 0);
  EXPECT_EQ((Store{out, Store::Access::read}.machines().size()), 2U);
}

TEST_F(MergeTest, AMeasurementTakesThePlaceOfAFailureAndNotTheOtherWayRound) {
  const auto failed = [&](const char* name, std::uint64_t seed) {
    const fs::path file = database(name, seed, {});
    Store store{file, Store::Access::write};
    const MachineId id = store.machines().begin()->first;
    const LaunchId launch =
        store.begin(id, {.layout = {.procs = 4}, .repeat = 0, .seed = seed + 1});
    store.add_failure(launch, kRing, "crashed");
    return file;
  };
  static_cast<void>(merge({failed("failed.db", 10)}));
  EXPECT_EQ(ask("SELECT count(*) FROM measurement WHERE failure IS NOT NULL"), 1);
  EXPECT_EQ(merge({database("measured.db", 1, {kRing})}).added, 1);
  EXPECT_EQ(merge({failed("failed_again.db", 20)}).added, 0);
  EXPECT_EQ(ask("SELECT count(*) FROM measurement"), 1);
  EXPECT_EQ(ask("SELECT count(*) FROM measurement WHERE failure IS NULL"), 1);
}

TEST_F(MergeTest, ALaunchThatWentOnIsJoinedWithItsBeginning) {
  const fs::path file = folder / "growing.db";
  Store store{file, Store::Access::write};
  const MachineId id = store.add(kMachine);
  const LaunchId launch = store.begin(id, {.layout = {.procs = 4}, .seed = 3});
  store.add(launch, kRing, {.local = kOne});
  EXPECT_EQ(merge({file}).added, 1);
  store.add(launch, kBruck, {.local = kTwo});
  store.end(launch, "complete");
  const MergeSummary summary = merge({file});
  EXPECT_EQ(summary.added, 1);
  EXPECT_EQ(summary.known, 1);
  EXPECT_EQ(ask("SELECT count(*) FROM launch"), 1);
  EXPECT_EQ(ask("SELECT count(*) FROM launch WHERE outcome = 'complete'"), 1);
  EXPECT_EQ(ask("SELECT count(*) FROM durations"), 2);
}

TEST_F(MergeTest, RefusesAndLeavesEverythingAsItWas) {
  const fs::path good = database("good.db", 1, {kRing});
  static_cast<void>(merge({good}));
  const std::string before = results::testing::bytes_of(out);
  const fs::path text = folder / "text.db";
  std::ofstream{text} << std::string(200, 'x');
  const fs::path old = database("old.db", 2, {kRing});
  SQLite::Database(old.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 1");
  const auto files = folder.entries();
  EXPECT_THROW((void)merge({good, folder / "missing.db"}), UsageError);
  EXPECT_THROW((void)merge({good, text}), UsageError);
  EXPECT_THROW((void)merge({good, old}), UsageError);
  EXPECT_THROW((void)merge({out}), UsageError);
  EXPECT_THROW((void)merge_databases(folder / "no/out.db", std::vector{good}), UsageError);
  {
    const Claim sweeping{out};
    EXPECT_THROW((void)merge({good}), UsageError);
  }
  EXPECT_EQ(results::testing::bytes_of(out), before);
  EXPECT_EQ(folder.entries(), files);
}

TEST_F(MergeTest, KnowsEveryTable) {
  const fs::path first = database("first.db", 1, {kRing});
  EXPECT_NO_THROW((void)merge({first}));
  SQLite::Database(out.string(), SQLite::OPEN_READWRITE).exec("CREATE TABLE novelty (id INTEGER)");
  EXPECT_THROW((void)merge({first}), Error);
}

}  // namespace
}  // namespace breakeven::results
