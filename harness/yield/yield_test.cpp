// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/yield/fake_ucp.hpp"

namespace {

constexpr unsigned kPatience = 20;  // seconds until a test that hangs is ended
int worker = 0;
int times_slept = 0;

}  // namespace

/// The preloaded library's function to sleep: the linker finds this one before the C library's.
extern "C" int nanosleep(const timespec* time, timespec* left) {
  ++times_slept;
  return clock_nanosleep(CLOCK_REALTIME, 0, time, left);
}

namespace {

/// Each test runs in a process of its own from its start on, because a process ends its connections
/// once and remembers whether it ever sent anything.
class Disconnect : public ::testing::Test {
 protected:
  Disconnect() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

[[noreturn]] void leave(bool as_it_should_be) { std::_Exit(as_it_should_be ? 0 : 1); }

const ::testing::ExitedWithCode kAsItShouldBe{0};

TEST(Yield, AWaitingRankSleeps) {
  const int before = times_slept;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(ucp_worker_progress(&worker), 0U);
  EXPECT_GE(times_slept - before, 50);
}

TEST(Yield, ARankWithSomethingToDoDoesNot) {
  fake_ucp()->events = 3;
  const int before = times_slept;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(ucp_worker_progress(&worker), 3U);
  EXPECT_LT(times_slept - before, 50);
  fake_ucp()->events = 0;
}

TEST_F(Disconnect, SucceedsAtOnceForAllPeersAfterOneFlush) {
  EXPECT_EXIT(
      {
        ucp_worker_progress(&worker);
        bool at_once = true;
        for (int peer = 0; peer < 5; ++peer) {
          at_once = at_once && ucp_disconnect_nb(&peer) == nullptr;
        }
        leave(at_once && fake_ucp()->flushes == 1);
      },
      kAsItShouldBe, "");
}

TEST_F(Disconnect, WaitsForWhatIsUnderWay) {
  EXPECT_EXIT(
      {
        alarm(kPatience);
        ucp_worker_progress(&worker);
        fake_ucp()->flush_is_over = false;
        fake_ucp()->ends_after = 40;
        leave(ucp_disconnect_nb(&worker) == nullptr && fake_ucp()->progresses == 40);
      },
      kAsItShouldBe, "");
}

TEST_F(Disconnect, GivesUpWhatDoesNotEnd) {
  EXPECT_EXIT(
      {
        alarm(kPatience);
        ucp_worker_progress(&worker);
        fake_ucp()->flush_is_over = false;
        leave(ucp_disconnect_nb(&worker) == nullptr && fake_ucp()->progresses > 1);
      },
      kAsItShouldBe, "");
}

TEST_F(Disconnect, FlushesNothingWhereNothingWasEverSent) {
  EXPECT_EXIT(leave(ucp_disconnect_nb(&worker) == nullptr && fake_ucp()->flushes == 0),
              kAsItShouldBe, "");
}

}  // namespace
