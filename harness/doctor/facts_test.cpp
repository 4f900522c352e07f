// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/facts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "harness/doctor/facts_json.hpp"
#include "harness/doctor/noise.hpp"
#include "harness/doctor/topology.hpp"

namespace breakeven {
namespace {

TEST(CpuSet, IsWrittenAsTheKernelWritesIt) {
  for (const std::string text : {"", "0", "0-3", "0-1,3,7-8", "100-199"}) {
    EXPECT_EQ(to_text(parse_cpus(text)), text);
  }
  EXPECT_EQ(parse_cpus("2,0-1"), (CpuSet{0, 1, 2}));
  for (const char* text : {"x", "1-", "-1", "0,,1", "1 2"}) {
    EXPECT_THROW(static_cast<void>(parse_cpus(text)), Error) << text;
  }
}

TEST(CpuSet, TellsWhereThisProcessMayRun) {
  EXPECT_FALSE(allowed_cpus(0).empty());
  EXPECT_TRUE(allowed_cpus(-1).empty());
}

TEST(Topology, CoresAndMemoriesAsHwlocShowsThem) {
  const Topology found = read_topology("numa:2 core:2 pu:2");
  ASSERT_EQ(found.cores.size(), 4U);
  EXPECT_EQ(found.cores[1], (CpuSet{2, 3}));
  EXPECT_EQ(found.numa, (std::vector<CpuSet>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_TRUE(read_topology("nonsense").cores.empty());
}

TEST(UsableCores, AreWholeOnesWithinMaskAndQuota) {
  const std::vector<CpuSet> smt{{0, 4}, {1, 5}, {2, 6}, {3, 7}};
  EXPECT_EQ(usable_cores({.usable = parse_cpus("0-7"), .cores = smt}), 4);
  EXPECT_EQ(usable_cores({.usable = parse_cpus("0-1,4-5"), .cores = smt}), 2);
  EXPECT_EQ(usable_cores({.usable = parse_cpus("0-7"), .cores = smt, .quota_cores = 2.9}), 2);
  EXPECT_EQ(usable_cores({.usable = parse_cpus("0-7"), .cores = smt, .quota_cores = 0.5}), 1);
  EXPECT_EQ(usable_cores({.usable = parse_cpus("0-7")}), 8) << "which share a core is not known";
  EXPECT_EQ(usable_cores({}), 1);
}

TEST(Facts, SurviveTheWayThroughJson) {
  const NodeFacts sent{
      .host = {.name = "a",
               .processor = "Some \"CPU\"",
               .virtual_machine = false,
               .rdma = {"mlx5_0"},
               .cpus = {.usable = {0, 1}, .cores = {{0, 1}}, .numa = {{0, 1}}, .quota_cores = 1.5},
               .frequency = {.driver = "acpi", .governors = {{"powersave", 2}}, .turbo = true},
               .memory = {.total_bytes = std::int64_t{1} << 40, .overcommit = 2}},
      .load = {.load_1min = 0.25, .others = {{.pid = 7, .name = "make", .cores = 0.5}}},
      .library = LibraryFacts{.version = "MPI\n1", .variables = {{"btl", ""}}},
      .ranks = {{.rank = 3, .cpus = {1}, .memlock_bytes = 65536, .noise = {.detours = 5}}, {}}};
  EXPECT_EQ(unpack(pack(sent)), sent);
  EXPECT_EQ(unpack(pack({})), NodeFacts{});
  EXPECT_TRUE(nlohmann::json(sent).at("host").at("kernel").is_null()) << "unknown is no guess";
  EXPECT_THROW(static_cast<void>(unpack("{}")), nlohmann::json::exception);
}

/// A clock that steps by 10 ns, and now and then by 50 us.
double bumpy_clock() {
  static int readings = 0;
  static double at_s = 1000;
  return at_s += ++readings % 100'000 == 0 ? 5e-5 : 1e-8;
}

/// A clock that is read in 100 ns, but only shows full microseconds.
double coarse_clock() {
  static int readings = 0;
  return static_cast<double>(++readings / 10) * 1e-6;
}

TEST(Noise, IsWhatIsMuchLongerThanOneReading) {
  const Detours noise = look_for_noise({0.1}, bumpy_clock);
  EXPECT_NEAR(static_cast<double>(noise.detours), 95, 2);  // one each 1.05 ms
  EXPECT_NEAR(noise.longest_s, 5e-5, 1e-7);
  EXPECT_NEAR(noise.lost_s, noise.longest_s * static_cast<double>(noise.detours), 1e-7);
  EXPECT_NEAR(noise.window_s, 0.1, 1e-4);
}

TEST(Noise, IsNotTheStepOfACoarseClock) {
  EXPECT_NEAR(look_at_timer(coarse_clock).resolution_s, 1e-6, 1e-9);
  EXPECT_NEAR(look_at_timer(coarse_clock).cost_s, 1e-7, 1e-9);
  EXPECT_EQ(look_for_noise({0.01}, coarse_clock).detours, 0);
}

}  // namespace
}  // namespace breakeven
