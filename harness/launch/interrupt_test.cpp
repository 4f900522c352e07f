// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

#include "harness/launch/job.hpp"

namespace breakeven::launch {
namespace {

/// Runs `body` in a process of its own, since what it remembers is never forgotten, and returns
/// its wait status.
template <typename Body>
int status_of(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    remember_interrupts();
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Interrupt, IsNoneBeforeASignal) { EXPECT_FALSE(over_by_signal()); }

TEST(Interrupt, RemembersTheSignalsOfBatchSystemsByName) {
  for (const auto& [number, name] :
       {std::pair{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"}}) {
    const int status = status_of([&] {
      std::raise(number);
      return over_by_signal()->why == fmt::format("interrupted by {}", name) ? 0 : 1;
    });
    EXPECT_EQ(status, 0) << name;
  }
}

TEST(Interrupt, EndsTheProcessTheSecondTime) {
  const int status = status_of([] {
    std::raise(SIGTERM);
    std::raise(SIGTERM);
    return 0;
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

TEST(Interrupt, EndsAJobThatGoesOnAndBlamesNoCase) {
  const int status = status_of([] {
    const std::string script = "echo '" +
                               protocol::to_json(protocol::WorkerEvent{protocol::CaseBegin{0}}) +
                               "'; kill -USR1 $PPID; while :; do echo '{}'; sleep 0.1; done";
    const JobEnd end = run_job(
        {.arguments = {"/bin/sh", "-c", script}}, {60}, [] { return std::nullopt; },
        [](const protocol::WorkerEvent&) {});
    return end.outcome == "interrupted by SIGUSR1" && !end.culprit ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace breakeven::launch
