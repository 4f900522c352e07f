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

}  // namespace
}  // namespace breakeven::verify
