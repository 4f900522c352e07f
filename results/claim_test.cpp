// SPDX-License-Identifier: BSD-3-Clause
// Two processes and one database: only one of them may fill it.
#include "results/claim.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "results/testing.hpp"

namespace breakeven::results {
namespace {

namespace fs = std::filesystem;

/// Another process that has a database claimed for as long as this object lives.
class OtherSweep {
 public:
  explicit OtherSweep(const fs::path& file) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    process_ = fork();
    if (process_ == 0) hold(file, ends[1]);
    close(ends[1]);
    char ready = 0;
    EXPECT_EQ(read(ends[0], &ready, 1), 1) << "the other process could not claim it";
    close(ends[0]);
  }
  ~OtherSweep() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  OtherSweep(const OtherSweep&) = delete;
  OtherSweep& operator=(const OtherSweep&) = delete;

 private:
  [[noreturn]] static void hold(const fs::path& file, int report) noexcept {
    Store store(file, Store::Access::fill);
    (void)store.add(Machine{.name = "mpich"});
    const Store::Batch batch = store.batch();  // SQLite's own lock, which others would wait for
    if (write(report, "", 1) != 1) _exit(1);
    for (;;) pause();
  }
  pid_t process_ = 0;
};

class ClaimTest : public ::testing::Test {
 protected:
  /// The refusal of a claim; empty when it is granted.
  [[nodiscard]] std::string claim() const {
    try {
      const Store store(file, Store::Access::fill);
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  const test::TemporaryFolder folder;
  const fs::path file = folder / "x.db";
};

TEST_F(ClaimTest, IsRefusedInOneLineWhileAnotherProcessHasItAndFreeAfterItsDeath) {
  {
    const OtherSweep other(file);
    EXPECT_EQ(claim(), "another sweep is filling '" + file.string() +
                           "'; one at a time, or each into a database of its own");
  }
  EXPECT_EQ(claim(), "");
}

TEST_F(ClaimTest, ComesBackWhenTheStoreIsClosed) {
  EXPECT_EQ(claim(), "");
  EXPECT_EQ(claim(), "");
}

TEST_F(ClaimTest, LetsOthersRead) {
  const OtherSweep other(file);
  EXPECT_EQ(results::testing::refusal(file, Store::Access::read), "");
}

TEST_F(ClaimTest, LeavesTheLocksOfSqliteAlone) {
  Store store(file, Store::Access::fill);
  Store::Batch batch = store.batch();
  (void)store.add(Machine{.name = "mpich"});
  const pid_t child = fork();
  if (child == 0) {
    try {
      Store other(file, Store::Access::read, Seconds{0.05});
      _exit(other.machines().empty() ? 0 : 1);
    } catch (...) {
      _exit(2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "a reader sees what was there before the batch";
  batch.commit();
  EXPECT_EQ(store.machines().size(), 1U);
}

TEST_F(ClaimTest, IsNotInheritedByProgramsThatAreStarted) {
  const pid_t child = [&] {
    const Store store(file, Store::Access::fill);
    const pid_t started = fork();
    if (started == 0) {
      execlp("sleep", "sleep", "60", nullptr);
      _exit(1);
    }
    // The program runs once its name has replaced this one's.
    std::string name;
    while (name != "sleep\n") {
      std::ifstream stream("/proc/" + std::to_string(started) + "/comm");
      name.assign(std::istreambuf_iterator<char>(stream), {});
    }
    return started;
  }();
  EXPECT_EQ(claim(), "");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(ClaimTest, NeedsAFile) { EXPECT_THROW(Claim{file}, Error); }

}  // namespace
}  // namespace breakeven::results
