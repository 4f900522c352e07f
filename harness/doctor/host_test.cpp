// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/host.hpp"

#include <gtest/gtest.h>

#include "harness/doctor/testing.hpp"

namespace breakeven::doctor {
namespace {

using testing::FakeRoot;

TEST(Host, IsReadFromProcAndSys) {
  const FakeRoot root{
      {{"proc/cpuinfo",
        "processor\t: 0\nmodel name\t: Some  CPU  @ 2 GHz \nflags\t\t: fpu hypervisor\n"
        "\nprocessor\t: 1\nmodel name\t: Other\n"},
       {"proc/sys/kernel/ostype", "Linux\n"},
       {"proc/sys/kernel/osrelease", "6.1.0-18-amd64\n"},
       {"proc/meminfo",
        "MemTotal:  2048 kB\nMemAvailable: 1024 kB\nSwapTotal: 8 kB\nSwapFree: 4 kB\n"},
       {"proc/sys/vm/overcommit_memory", "2\n"},
       {"proc/sys/kernel/random/boot_id", "4b1d-16\n"},
       {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
       {"sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"},
       {"sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n"},
       {"sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "acpi-cpufreq\n"},
       {"sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n"},
       {"sys/devices/system/cpu/cpufreq/boost", "1\n"},
       {"sys/class/infiniband/mlx5_0/fw_ver", "1\n"},
       {"dev/shm/left_over", ""}}};
  const protocol::HostFacts host = read_host({0, 1}, root.path());
  EXPECT_EQ(host.processor, "Some CPU @ 2 GHz");
  EXPECT_EQ(host.kernel, "Linux 6.1.0-18-amd64");
  EXPECT_EQ(host.boot_id, "4b1d-16");
  EXPECT_EQ(host.clock_source, "hpet");
  EXPECT_EQ(host.virtual_machine, true);
  EXPECT_EQ(host.rdma, std::vector<std::string>{"mlx5_0"});
  EXPECT_EQ(host.cpus.usable, (protocol::CpuSet{0, 1}));
  EXPECT_EQ(host.frequency.driver, "acpi-cpufreq");
  EXPECT_EQ(host.frequency.governors,
            (std::map<std::string, int>{{"performance", 1}, {"powersave", 1}}));
  EXPECT_EQ(host.frequency.turbo, true);
  EXPECT_EQ(host.memory.total_bytes, 2 << 20);
  EXPECT_EQ(host.memory.available_bytes, 1 << 20);
  EXPECT_EQ(host.memory.swap_used_bytes, 4096);
  EXPECT_EQ(host.memory.overcommit, 2);
  EXPECT_EQ(host.memory.huge_pages, "madvise");
  EXPECT_GT(host.memory.shm_total_bytes.value_or(0), 0);
}

TEST(Host, WhatCantBeReadIsNotGuessed) {
  const FakeRoot root{{}};
  const protocol::HostFacts host = read_host({}, root.path());
  EXPECT_EQ(host,
            (protocol::HostFacts{.name = host_name(),
                                 .cpus = {.cores = host.cpus.cores, .numa = host.cpus.numa}}));
}

TEST(Host, TurboIsAskedOfIntelsDriverFirst) {
  const FakeRoot root{{{"sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"}}};
  EXPECT_EQ(read_host({}, root.path()).frequency.turbo, false);
}

TEST(Host, AProcessorWithoutTheFlagIsNoVirtualOne) {
  const FakeRoot metal{{{"proc/cpuinfo", "flags : fpu hypervisors\n"}}};
  EXPECT_EQ(read_host({}, metal.path()).virtual_machine, false);
  const FakeRoot xen{{{"proc/cpuinfo", "flags : fpu\n"}, {"sys/hypervisor/type", "xen\n"}}};
  EXPECT_EQ(read_host({}, xen.path()).virtual_machine, true);
}

TEST(Quota, OfVersion2IsTheTightestOnTheWayUp) {
  const FakeRoot root{{{"proc/self/cgroup", "0::/job/step\n"},
                       {"sys/fs/cgroup/job/step/cpu.max", "max 100000\n"},
                       {"sys/fs/cgroup/job/cpu.max", "150000 100000\n"},
                       {"sys/fs/cgroup/cpu.max", "400000 100000\n"}}};
  EXPECT_EQ(cpu_quota(root.path()), 1.5);
}

TEST(Quota, OfVersion1IsFoundInAContainerToo) {
  const FakeRoot root{{{"proc/self/cgroup", "7:cpuset:/\n4:cpu,cpuacct:/docker/abc\n0::/\n"},
                       {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"},
                       {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"}}};
  EXPECT_EQ(cpu_quota(root.path()), 0.5);
}

TEST(Quota, IsNoneWhereNoneIsSet) {
  const FakeRoot v1{{{"proc/self/cgroup", "4:cpu:/\n"},
                     {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
                     {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"}}};
  EXPECT_EQ(cpu_quota(v1.path()), std::nullopt);
  const FakeRoot nothing{{}};
  EXPECT_EQ(cpu_quota(nothing.path()), std::nullopt);
}

TEST(Topology, CoresAndMemoriesAsHwlocShowsThem) {
  const Topology found = read_topology("numa:2 core:2 pu:2");
  ASSERT_EQ(found.cores.size(), 4U);
  EXPECT_EQ(found.cores[1], (protocol::CpuSet{2, 3}));
  EXPECT_EQ(found.numa, (std::vector<protocol::CpuSet>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_TRUE(read_topology("nonsense").cores.empty());
}

}  // namespace
}  // namespace breakeven::doctor
