// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/load.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/doctor/testing.hpp"

namespace breakeven::doctor {
namespace {

using testing::FakeRoot;

/// /proc/PID/stat of a process that has used so many ticks.
std::string stat(int pid, const std::string& name, int parent, int ticks) {
  return fmt::format("{} ({}) S {} 1 1 0 -1 0 0 0 0 0 {} {} 0 0 20 0 1 0 777 0 0\n", pid, name,
                     parent, ticks - ticks / 2, ticks / 2);
}

void write(const FakeRoot& root, int ours, int other, int busy, int steal) {
  root.write("proc/stat", fmt::format("cpu  {} 0 0 1000 0 0 0 {} 0 0\n", busy, steal));
  root.write("proc/loadavg", "1.50 0.5 0.1 2/90 400\n");
  root.write("proc/10/stat", stat(10, "shell", 1, 0));
  root.write("proc/20/stat", stat(20, "hydra_pmi_proxy", 10, 0));
  root.write("proc/21/stat", stat(21, "our rank", 20, ours));
  root.write("proc/30/stat", stat(30, "a) R 20 (b", 10, other));  // the same shell's, but not ours
  root.write("proc/40/stat", stat(40, "idle", 1, 0));
}

protocol::LoadFacts look(const FakeRoot& root, double window_s) {
  LoadSnapshot before;
  LoadSnapshot after;
  write(root, 50, 100, 1000, 0);
  before = take_load(root.path());
  write(root, 150, 180, 1190, 10);
  after = take_load(root.path());
  after.at = before.at + std::chrono::microseconds{static_cast<int>(window_s * 1e6)};
  return load_between(before, after, 20, root.path());
}

TEST(Load, IsWhatOthersUsedAndNotWhatWeDid) {
  const FakeRoot root{{}};
  const double tick_s = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const protocol::LoadFacts load = look(root, 100 * tick_s);
  ASSERT_EQ(load.others.size(), 1U);
  EXPECT_EQ(load.others[0].pid, 30);
  EXPECT_EQ(load.others[0].name, "a) R 20 (b");
  EXPECT_NEAR(load.others[0].cores, 0.8, 1e-6);
  EXPECT_NEAR(load.other_cores.value(), 0.9, 1e-6) << "190 ticks in all, 100 of them ours";
  EXPECT_NEAR(load.steal.value(), 10.0 / 200, 1e-6);
  EXPECT_NEAR(load.steal_at_all.value(), 10.0 / 2200, 1e-6);
  EXPECT_EQ(load.load_1min, 1.5);
}

TEST(Load, AnotherJobsLauncherCountsEvenWhileItWaits) {
  const FakeRoot root{{{"proc/50/stat", stat(50, "mpiexec.hydra", 10, 0)}}};
  const protocol::LoadFacts load = look(root, 1);
  ASSERT_EQ(load.others.size(), 2U);
  EXPECT_EQ(load.others[1].name, "mpiexec.hydra");
  EXPECT_TRUE(is_launcher(load.others[1]));
  EXPECT_FALSE(is_launcher(load.others[0]));
}

TEST(Load, WhatCantBeReadIsNotGuessed) {
  const FakeRoot root{{}};
  const LoadSnapshot nothing = take_load(root.path());
  EXPECT_EQ(load_between(nothing, nothing, 1, root.path()), protocol::LoadFacts{});
}

}  // namespace
}  // namespace breakeven::doctor
