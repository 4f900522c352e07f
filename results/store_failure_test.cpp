// SPDX-License-Identifier: BSD-3-Clause
// A store whose disk is full, or whose file another program has, reports that, loses nothing that
// was stored, and goes on afterwards.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <chrono>
#include <random>
#include <thread>

#include "results/testing.hpp"

namespace breakeven::results {
namespace {

namespace fs = std::filesystem;

Case numbered(int number) { return {.variant = Ours{"ring"}, .procs = 4, .message = {number + 1}}; }

/// Samples that are as long stored as they are many.
std::vector<Seconds> unlike_samples(int count) {
  std::mt19937 random(1);
  std::vector<Seconds> samples;
  for (int i = 0; i < count; ++i) samples.push_back({static_cast<double>(random()) * 1e-12});
  return samples;
}

class StoreFailure : public ::testing::Test {
 protected:
  /// The message of the Error with which a store refuses another measurement; empty when it takes
  /// it.
  static std::string refusal_to_add(Store& store, LaunchId launch, int number) {
    const std::vector<Seconds> samples = unlike_samples(2000);
    try {
      store.add(launch, numbered(number), {.local = samples});
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  /// The file and the cause in one line.
  static void expect_says(const std::string& message, const fs::path& file,
                          const std::string& why) {
    EXPECT_EQ(message.find("'" + file.string() + "': "), 0U) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }

  const test::TemporaryFolder folder;
};

/// A small file system over a folder, for this process alone.
class SmallDisk {
 public:
  SmallDisk(const fs::path& folder, int bytes) : folder_(folder) {
    const std::string size = "size=" + std::to_string(bytes);
    mounted_ = unshare(CLONE_NEWNS) == 0 &&
               mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               mount("none", folder.c_str(), "tmpfs", 0, size.c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount(folder_.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool mounted() const { return mounted_; }

 private:
  fs::path folder_;
  bool mounted_ = false;
};

TEST_F(StoreFailure, AFullDiskIsReportedAndTheNextAttemptAfterItWorks) {
  const SmallDisk disk(folder.path(), 512 * 1024);
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a file system";
  std::ofstream(folder / "filler") << std::string(200 * 1024, 'x');
  const fs::path file = folder / "x.db";
  Store store(file, Store::Access::write);
  const MachineId machine = store.add(Machine{.name = "mpich"});
  const LaunchId launch = store.begin(machine, {});
  int stored = 0;
  std::string message;
  for (; message.empty(); ++stored) {
    ASSERT_LT(stored, 1000) << "the disk never gets full";
    message = refusal_to_add(store, launch, stored);
  }
  --stored;
  expect_says(message, file, "disk is full");
  EXPECT_GT(stored, 3);
  EXPECT_EQ(std::ssize(results::testing::samples_of(store, machine)), stored);
  fs::remove(folder / "filler");
  EXPECT_EQ(refusal_to_add(store, launch, stored), "");
  EXPECT_EQ(std::ssize(results::testing::samples_of(Store(file, Store::Access::read), machine)),
            stored + 1);
}

TEST_F(StoreFailure, AFileThatMayNotGrowLosesOnlyWhatItCanNotHold) {
  const fs::path file = folder / "x.db";
  Store store(file, Store::Access::write);
  const MachineId machine = store.add(Machine{.name = "mpich"});
  const LaunchId launch = store.begin(machine, {});
  ASSERT_EQ(refusal_to_add(store, launch, 0), "");
  const std::string before = results::testing::bytes_of(file);
  {
    const results::testing::FullDisk disk(fs::file_size(file));
    expect_says(refusal_to_add(store, launch, 1), file, "disk");
  }
  EXPECT_TRUE(results::testing::bytes_of(file) == before);
  EXPECT_EQ(refusal_to_add(store, launch, 1), "");
  EXPECT_EQ(results::testing::samples_of(Store(file, Store::Access::read), machine).size(), 2U);
}

/// A store that waits for 50 ms, with one measurement, and another program that has its file.
class LockedFile : public StoreFailure {
 protected:
  LockedFile() {
    EXPECT_EQ(refusal_to_add(store, launch, 0), "");
    other.exec("BEGIN EXCLUSIVE");
  }

  const fs::path file = folder / "x.db";
  Store store{file, Store::Access::write, Seconds{0.05}};
  const MachineId machine = store.add(Machine{.name = "mpich"});
  const LaunchId launch = store.begin(machine, {});
  SQLite::Database other{file, SQLite::OPEN_READWRITE};
};

TEST_F(LockedFile, IsReportedAndTheNextAttemptWorks) {
  expect_says(refusal_to_add(store, launch, 1), file, "another program has it locked");
  expect_says(refusal_to_add(store, launch, 1), file, "another program has it locked");
  EXPECT_THROW((void)store.batch(), Error);
  other.exec("COMMIT");
  EXPECT_EQ(refusal_to_add(store, launch, 1), "");
  EXPECT_EQ(results::testing::samples_of(store, machine).size(), 2U);
}

TEST_F(LockedFile, IsReportedByWhatIsOpened) {
  for (const Store::Access access : {Store::Access::read, Store::Access::write}) {
    try {
      const Store refused(file, access, Seconds{0.05});
      FAIL() << "a locked file was opened";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("x.db' can't be"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("another program has it locked"), std::string::npos);
    }
  }
}

TEST_F(LockedFile, ByAReaderFailsTheCommitOfABatchWhichStaysWhole) {
  other.exec("COMMIT");
  Store::Batch batch = store.batch();
  EXPECT_EQ(refusal_to_add(store, launch, 1), "");
  other.exec("BEGIN; SELECT * FROM machine");
  EXPECT_THROW(batch.commit(), Error);
  other.exec("COMMIT");
  batch.commit();
  EXPECT_EQ(results::testing::samples_of(store, machine).size(), 2U);
}

TEST_F(LockedFile, IsWaitedFor) {
  other.exec("COMMIT");
  Store patient(file, Store::Access::write);
  other.exec("BEGIN EXCLUSIVE");
  std::thread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    other.exec("COMMIT");
  });
  EXPECT_EQ(refusal_to_add(patient, launch, 1), "");
  ends.join();
}

}  // namespace
}  // namespace breakeven::results
