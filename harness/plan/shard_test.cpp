// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven::plan {
namespace {

Sweep sweep_of_two_sizes() {
  Sweep sweep;
  sweep.collectives.push_back(Collective::gatherv);
  sweep.procs = {2, 3, 4};
  sweep.messages = {Bytes{8}, Bytes{64}, Bytes{1024}};
  sweep.launches = 3;
  return sweep;
}

using Key = std::pair<Case, int>;

std::set<Key> keys(const SweepPlan& plan) {
  std::set<Key> found;
  for (const PlannedLaunch& launch : plan.launches) {
    for (const Case& what : launch.cases) found.emplace(what, launch.repeat);
  }
  return found;
}

SweepPlan shard_of(Sweep sweep, Shard shard) {
  sweep.shard = shard;
  return make_plan(sweep, MachineKind::library);
}

TEST(Shard, ShardsAreDisjointAndTogetherTheWhole) {
  const Sweep sweep = sweep_of_two_sizes();
  const std::set<Key> whole = keys(make_plan(sweep, MachineKind::library));
  for (const int of : {2, 3, 8}) {
    std::set<Key> sum;
    std::size_t count = 0;
    for (int number = 1; number <= of; ++number) {
      const std::set<Key> shard = keys(shard_of(sweep, {number, of}));
      EXPECT_FALSE(shard.empty());
      count += shard.size();
      sum.insert(shard.begin(), shard.end());
    }
    EXPECT_EQ(sum, whole);
    EXPECT_EQ(count, whole.size());
  }
}

TEST(Shard, WhatIsComparedStaysTogether) {
  std::map<std::pair<int, Bytes>, int> shard_of_share;
  for (int number = 1; number <= 4; ++number) {
    for (const auto& [what, repeat] : keys(shard_of(sweep_of_two_sizes(), {number, 4}))) {
      const auto [found, fresh] =
          shard_of_share.emplace(std::pair{what.procs, total_bytes(what)}, number);
      EXPECT_EQ(found->second, number) << to_text(what);
    }
  }
}

TEST(Shard, KeepsTheOrderAndSeedsOfTheWhole) {
  const SweepPlan whole = make_plan(sweep_of_two_sizes(), MachineKind::library);
  const SweepPlan shard = shard_of(sweep_of_two_sizes(), {1, 2});
  ASSERT_EQ(shard.launches.size(), whole.launches.size());
  for (std::size_t i = 0; i < shard.launches.size(); ++i) {
    EXPECT_EQ(shard.launches[i].seed, whole.launches[i].seed);
    const std::vector<Case>& all = whole.launches[i].cases;
    auto from = all.begin();
    for (const Case& what : shard.launches[i].cases) {
      from = std::find(from, all.end(), what);
      ASSERT_NE(from, all.end());
    }
  }
}

TEST(Shard, RefusesAShardThatThereIsNot) {
  EXPECT_THROW((void)shard_of(sweep_of_two_sizes(), {0, 2}), UsageError);
  EXPECT_THROW((void)shard_of(sweep_of_two_sizes(), {3, 2}), UsageError);
  EXPECT_THROW((void)shard_of(sweep_of_two_sizes(), {1, 0}), UsageError);
  EXPECT_THROW((void)shard_of(sweep_of_two_sizes(), {1, 1000}), UsageError);
}

}  // namespace
}  // namespace breakeven::plan
