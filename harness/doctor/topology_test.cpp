// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/topology.hpp"

#include <gtest/gtest.h>

namespace breakeven::doctor {
namespace {

TEST(Topology, CoresAndMemoriesAsHwlocShowsThem) {
  const Topology found = read_topology("numa:2 core:2 pu:2");
  ASSERT_EQ(found.cores.size(), 4U);
  EXPECT_EQ(found.cores[1], (protocol::CpuSet{2, 3}));
  EXPECT_EQ(found.numa, (std::vector<protocol::CpuSet>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_TRUE(read_topology("nonsense").cores.empty());
}

}  // namespace
}  // namespace breakeven::doctor
