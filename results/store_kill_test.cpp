// SPDX-License-Identifier: BSD-3-Clause
// The contents of a store after its process was killed.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "results/store.hpp"
#include "results/testing.hpp"

namespace breakeven::results {
namespace {

namespace fs = std::filesystem;

constexpr int kOfEach = 2000;  // so that a kill mostly falls into a transaction

Case numbered_case(int number) { return {.variant = Ours{"ring"}, .message = {number + 1}}; }

/// Adds one measurement after the other until it is killed, and reports each that returned.
[[noreturn]] void add_forever(const fs::path& file, int report) noexcept {
  Store store(file, Store::Access::write);
  const LaunchId launch = store.begin(store.add(Machine{.name = "mpich"}), {});
  for (int i = 0;; ++i) {
    const std::vector<Seconds> samples(kOfEach, Seconds{i + 1.0});
    store.add(launch, numbered_case(i), {.local = samples});
    if (write(report, &i, sizeof i) != sizeof i) _exit(1);
  }
}

/// Kills such a process some microseconds after its `reports`-th report.
/// @return the number of measurements whose add() had returned.
int add_until_killed(const fs::path& file, int reports, useconds_t later) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) add_forever(file, ends[1]);
  close(ends[1]);
  int last = -1;
  const auto next = [&] { return read(ends[0], &last, sizeof last) == sizeof last; };
  while (last + 1 < reports && next()) {
  }
  usleep(later);
  kill(child, SIGKILL);
  while (next()) {
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  return last + 1;
}

class KilledWriter : public ::testing::TestWithParam<int> {};

TEST_P(KilledWriter, LeavesEveryMeasurementWhoseAddHadReturned) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "x.db";
  const int returned = add_until_killed(file, 5, static_cast<useconds_t>(GetParam() * 300));
  ASSERT_GE(returned, 5);

  const Store store(file, Store::Access::read);
  const MachineId machine = store.machines().begin()->first;
  const auto measurements = store.measurements(machine);
  const auto samples = results::testing::samples_of(store, machine);
  ASSERT_EQ(samples.size(), measurements.size());
  // The last one may have been committed without its report.
  EXPECT_GE(std::ssize(measurements), returned);
  EXPECT_LE(std::ssize(measurements), returned + 1);
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    const auto number = static_cast<int>(i);
    EXPECT_EQ(measurements[i].what, numbered_case(number));
    EXPECT_EQ(samples[i].local, std::vector<Seconds>(kOfEach, Seconds{number + 1.0}));
  }
  EXPECT_EQ(SQLite::Database(file).execAndGet("PRAGMA integrity_check").getString(), "ok");
}

INSTANTIATE_TEST_SUITE_P(AtDifferentInstants, KilledWriter, ::testing::Range(0, 10));

/// A file as a writer leaves it that is killed while it changes the pages: half of the change is
/// in the file, and its journal has the earlier pages.
void leave_half_written(const fs::path& original, const fs::path& killed) {
  SQLite::Database writer(original, SQLite::OPEN_READWRITE);
  writer.exec("PRAGMA cache_size = 1");
  writer.exec(
      "BEGIN IMMEDIATE; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) "
      "INSERT INTO machine (name, kind, library_version, cpu, settings, settings_origin) "
      "SELECT i, 'model', '', '', '', '' FROM n");
  fs::copy_file(original, killed);
  fs::copy_file(original.string() + "-journal", killed.string() + "-journal");
  writer.exec("ROLLBACK");
}

TEST(HalfWrittenFile, ReadsAsItWasBeforeTheTransaction) {
  const test::TemporaryFolder folder;
  (void)Store(folder / "x.db", Store::Access::write).add(Machine{.name = "mpich"});
  leave_half_written(folder / "x.db", folder / "killed.db");
  ASSERT_FALSE(results::testing::bytes_of(folder / "killed.db") ==
               results::testing::bytes_of(folder / "x.db"));
  const auto machines = Store(folder / "killed.db", Store::Access::read).machines();
  ASSERT_EQ(machines.size(), 1U);
  EXPECT_EQ(machines.begin()->second.name, "mpich");
}

}  // namespace
}  // namespace breakeven::results
