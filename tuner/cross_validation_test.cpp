// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/cross_validation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "tables/testing.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::tuner {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using tables::testing::allreduce;

std::vector<Measurement> thrice(const std::string& algorithm, int procs, std::int64_t bytes,
                                double time) {
  return launches(allreduce(algorithm, procs, bytes), {time, time, time});
}

/// One size at p; native takes 10.
std::vector<Measurement> both_at(int procs, double ring, double bruck) {
  return join({thrice("native", procs, 1024, 10), thrice("ring", procs, 1024, ring),
               thrice("reduce_bcast", procs, 1024, bruck)});
}

/// Of the table for programs that call ours, and of the library's where there is one.
std::vector<CrossValidation> validated(std::span<const Measurement> measurements) {
  std::vector<CrossValidation> all;
  const bool of_library = std::ranges::any_of(measurements, [](const Measurement& each) {
    return each.what.variant.algorithm().starts_with("openmpi:");
  });
  for (const tables::Candidates kind : {tables::Candidates::ours, tables::Candidates::library}) {
    if (kind == tables::Candidates::library && !of_library) continue;
    const std::vector<Measurement> selected = select(measurements, {.candidates = kind});
    const std::vector<Decision> decisions = decide(selected);
    std::ranges::move(cross_validate(decisions, make_table(selected, decisions, kind)),
                      std::back_inserter(all));
  }
  return all;
}

std::vector<int> procs_of(const CrossValidation& checked) {
  std::vector<int> procs;
  for (const NodeLayout& each : checked.layouts) procs.push_back(each.procs);
  return procs;
}

TEST(CrossValidation, SetsTheNearestRuleBesideWhatWasMeasured) {
  // 2 takes ring from 4: 2 times as long as the fastest there. 4 takes ring of 2 or 8 (2 is
  // smaller): reduce_bcast, 1.5 times. 8 takes ring from 4, which is best.
  const auto found = validated(join({both_at(2, 4, 2), both_at(4, 2, 3), both_at(8, 2, 4)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].candidates, tables::Candidates::ours);
  EXPECT_EQ(procs_of(found[0]), (std::vector{2, 4, 8}));
  EXPECT_EQ(found[0].cells, 3);
  EXPECT_EQ(found[0].unknown, 0);
  EXPECT_NEAR(found[0].mean_regret, (1.0 + 0.5 + 0) / 3, 1e-12);
  EXPECT_NEAR(found[0].worst_regret, 1, 1e-12);
  EXPECT_EQ(found[0].worst.procs, 2);
  EXPECT_EQ(found[0].worst.message, Bytes{1024});
  EXPECT_EQ(found[0].native_better, 0);
}

TEST(CrossValidation, CountsWhereNativeWouldHaveBeenBetter) {
  const auto found = validated(join({both_at(2, 1, 2), both_at(4, 20, 30)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cells, 2);
  EXPECT_EQ(found[0].native_better, 1);          // at 4, ring as at 2
  EXPECT_NEAR(found[0].worst_regret, 9, 1e-12);  // at 2, native as at 4, 10 to 1
}

TEST(CrossValidation, HoldsOutNoMoreProcessesThanCoresBesideOthers) {
  std::vector<Measurement> measured =
      join({both_at(2, 4, 2), both_at(4, 2, 3), both_at(8, 2, 400)});
  for (Measurement& each : measured) each.oversubscribed = each.what.procs == 8;
  EXPECT_EQ(procs_of(validated(measured).at(0)), (std::vector{2, 4}));
  for (Measurement& each : measured) each.oversubscribed = true;
  EXPECT_EQ(procs_of(validated(measured).at(0)), (std::vector{2, 4, 8}));
}

TEST(CrossValidation, CountsWhereItsChoiceWasNotMeasured) {
  const auto found = validated(join({thrice("ring", 2, 8, 1), thrice("reduce_bcast", 4, 8, 1)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cells, 0);
  EXPECT_EQ(found[0].unknown, 2);
}

TEST(CrossValidation, FindsAChoiceThatWasMeasuredUnderTheNameOfAnEqual) {
  // At 2 recursive_multiplying, the choice of 3, is recursive_doubling.
  const auto found = validated(
      join({thrice("recursive_doubling", 2, 8, 1), thrice("recursive_multiplying", 3, 8, 1)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cells, 1);
  EXPECT_EQ(found[0].unknown, 1);
}

TEST(CrossValidation, ChecksNothingAtOneProcessCount) {
  const auto found = validated(both_at(4, 1, 2));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].layouts.empty());
}

TEST(CrossValidation, ALibrarysTableIsCheckedBetweenItsEndsAlone) {
  const auto with = [](std::initializer_list<int> all_procs) {
    std::vector<Measurement> all;
    for (const int procs : all_procs) {
      all = join({all, thrice("native", procs, 1024, 9), thrice("openmpi:ring", procs, 1024, 3)});
    }
    const auto found = validated(all);
    EXPECT_EQ(found.size(), 2U);
    return found.at(1);
  };
  EXPECT_EQ(with({2, 4}).candidates, tables::Candidates::library);
  EXPECT_TRUE(with({2, 4}).layouts.empty());
  EXPECT_EQ(procs_of(with({2, 4, 8, 16})), (std::vector{4, 8}));
  EXPECT_EQ(with({2, 4, 8, 16}).cells, 2);
  EXPECT_EQ(with({2, 4, 8, 16}).worst_regret, 0);
}

TEST(CrossValidation, HoldsLayoutsOfOnePOutInTurn) {
  const auto at = [](int nodes, double ring, double reduce_bcast) {
    auto all = both_at(8, ring, reduce_bcast);
    for (Measurement& each : all) {
      each.what.nodes = nodes;
      each.what.procs_per_node = 8 / nodes;
    }
    return all;
  };
  // 4 x 2 takes the choice of 2 x 4, 2 x 4 that of 4 x 2, and 8 x 1 as well: ring costs 50 % there.
  const auto found = validated(join({at(2, 1, 2), at(4, 1, 2), at(8, 3, 2)}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].layouts.size(), 3U);
  EXPECT_EQ(found[0].cells, 3);
  EXPECT_NEAR(found[0].mean_regret, 0.5 / 3, 1e-12);
  EXPECT_EQ(found[0].worst.nodes, 8);
  // By p alone 2 x 4 and 4 x 2 take the one of the other two that costs the others least: 8 x 1's
  // reduce_bcast costs 100 %, ring costs 50 %, so ring.
  EXPECT_NEAR(found[0].mean_regret_by_procs.value(), 0.5 / 3, 1e-12);
}

TEST(CrossValidation, KeepsMappingsApart) {
  auto dealt = both_at(4, 1, 2);
  for (Measurement& each : dealt) each.what.mapping = Mapping::rr;
  const auto found = validated(join({both_at(2, 1, 2), both_at(4, 2, 1), dealt}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].layouts.size(), 2U);
  EXPECT_TRUE(found[1].layouts.empty());
}

TEST(CrossValidation, CountsTheRegretWithTheCountsWhereItIsGreatest) {
  std::vector<Measurement> measurements;
  for (const auto& [counts, slow] : {std::pair{Counts::equal, 3.0}, {Counts::linear, 4.0}}) {
    for (Measurement each : join({both_at(2, 1, 2), both_at(4, slow, 1)})) {
      each.what.collective = Collective::gatherv;
      each.what.op = Op::none;
      each.what.counts = counts;
      if (each.what.variant.algorithm() == "ring") each.what.variant = Ours{"linear"};
      if (each.what.variant.algorithm() == "reduce_bcast") each.what.variant = Ours{"binomial"};
      measurements.push_back(each);
    }
  }
  const auto found = validated(measurements);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].cells, 2);
  EXPECT_NEAR(found[0].worst_regret, 3, 1e-12);  // at 4, linear as at 2
}

}  // namespace
}  // namespace breakeven::tuner
