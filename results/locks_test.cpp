// SPDX-License-Identifier: BSD-3-Clause
// File systems without locks, as NFS without its lock service: this test's own fcntl() stands for
// the C library's, for SQLite too.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "results/claim.hpp"
#include "results/testing.hpp"

namespace {

int lock_failure = 0;  // errno of every lock; 0: the system's own

int answer(int descriptor, int command, void* argument) {
  const bool locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK;
  if (locks && lock_failure != 0) {
    errno = lock_failure;
    return -1;
  }
  return static_cast<int>(syscall(SYS_fcntl, descriptor, command, argument));
}

}  // namespace

extern "C" int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return answer(descriptor, command, argument);
}
extern "C" int fcntl64(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return answer(descriptor, command, argument);
}

namespace breakeven::results {
namespace {

using Access = Store::Access;

class NoLocks : public ::testing::TestWithParam<int> {
 protected:
  ~NoLocks() override { lock_failure = 0; }

  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "x.db";
};

TEST_P(NoLocks, AreNamedAtOnceAndNothingIsLeft) {
  lock_failure = GetParam();
  for (const Access access : {Access::fill, Access::write}) {
    EXPECT_NE(testing::refusal(file, access).find("x.db': this file system has no locks ("),
              std::string::npos)
        << testing::refusal(file, access);
    EXPECT_EQ(folder.entries(), 0);
  }
}

TEST_P(NoLocks, AreNamedWhereResultsAre) {
  EXPECT_EQ(testing::refusal(file, Access::write), "");
  const std::string before = testing::bytes_of(file);
  lock_failure = GetParam();
  for (const Access access : {Access::read, Access::fill, Access::write}) {
    EXPECT_NE(testing::refusal(file, access).find("put the database elsewhere"), std::string::npos)
        << testing::refusal(file, access);
  }
  EXPECT_TRUE(testing::bytes_of(file) == before);
}

INSTANTIATE_TEST_SUITE_P(Causes, NoLocks, ::testing::Values(ENOLCK, ENOSYS, EOPNOTSUPP));

TEST_F(NoLocks, AreNotTheReasonOfEveryFailure) {
  lock_failure = EIO;
  EXPECT_EQ(testing::refusal(file, Access::write),
            "'" + file.string() + "' can't be locked: Input/output error");
  lock_failure = EAGAIN;  // another program's lock
  EXPECT_NO_THROW(require_locks(file));
}

}  // namespace
}  // namespace breakeven::results
