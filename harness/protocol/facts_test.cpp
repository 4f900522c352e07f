// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/facts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "harness/protocol/facts_json.hpp"

namespace breakeven::protocol {
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
      .library =
          LibraryFacts{.version = "MPI\n1", .variables = {{"btl", ""}}, .shares_memory = false},
      .ranks = {{.rank = 3, .cpus = {1}, .memlock_bytes = 65536, .noise = {.detours = 5}}, {}}};
  EXPECT_EQ(value_in<NodeFacts>(Json::parse(line_of(json_of(sent)))), sent);
  EXPECT_EQ(value_in<NodeFacts>(json_of(NodeFacts{})), NodeFacts{});
  EXPECT_TRUE(json_of(sent).at("host").at("kernel").is_null()) << "unknown is no guess";
  EXPECT_THROW(static_cast<void>(value_in<NodeFacts>(Json::object())), Json::exception);
}

}  // namespace
}  // namespace breakeven::protocol
