// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/trial.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tables/testing.hpp"

namespace breakeven::verify {
namespace {

TEST(ProblemsOfTrial, HaveAllCountsAskedForWhereACollectiveIsIrregular) {
  const std::vector both{Counts::equal, Counts::linear};
  const auto counts_of = [&](Collective collective) {
    tables::Table table = tables::testing::small_table();
    table.rules.resize(1);
    table.rules[0].what.collective = collective;
    std::multiset<Counts> counts;
    for (const Case& each :
         problems_of_trial(table, {.procs = {4}, .messages = {{64}}, .counts = both})) {
      counts.insert(each.counts);
    }
    return counts;
  };
  EXPECT_EQ(counts_of(Collective::allgather), std::multiset{Counts::equal});
  EXPECT_EQ(counts_of(Collective::allgatherv), (std::multiset{Counts::equal, Counts::linear}));
}

TEST(ProblemsOfTrial, APIsLaidOutAsFarAsTheTablesNodesPermit) {
  tables::Table table = tables::testing::small_table();
  table.rules = {table.rules[0], table.rules[0]};
  for (const int per_node : {2, 4}) {
    Case& what = table.rules[per_node == 4].what;
    what.procs = 8;
    what.nodes = 8 / per_node;
    what.procs_per_node = per_node;
  }
  std::multiset<int> nodes;
  for (const Case& each : problems_of_trial(table, {.procs = {4, 12}, .messages = {{64}}}))
    nodes.insert(each.nodes);
  EXPECT_EQ(nodes, (std::multiset{2, 3, 6}));
  EXPECT_TRUE(problems_of_trial(table, {.procs = {7}}).empty());
}

}  // namespace
}  // namespace breakeven::verify
