// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/error.hpp"
#include "tables/testing.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::tuner {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using tables::testing::allreduce;

/// Times of each algorithm at 8, 16, 32 ... B, p = 4, in three launches that differ as a whole.
Side side(const std::map<std::string, std::vector<double>>& times) {
  std::vector<Measurement> all;
  for (const auto& [algorithm, seconds] : times) {
    std::int64_t bytes = 8;
    for (const double each : seconds) {
      all = join({std::move(all),
                  launches(allreduce(algorithm, 4, bytes), {each, 1.5 * each, 1.2 * each})});
      bytes *= 2;
    }
  }
  return {.name = "side", .table = make_table(all), .data = decide(all)};
}

const Side kRing = side({{"native", {4, 4, 4}}, {"ring", {1, 1, 1}}, {"pairwise_ring", {2, 2, 2}}});
const Side kPairwise =
    side({{"native", {4, 4, 4}}, {"ring", {3, 3, 3}}, {"pairwise_ring", {2, 2, 1.5}}});

TEST(Comparison, OneTableWithItselfIsAlike) {
  const Comparison comparison = compare(kRing, kRing);
  ASSERT_EQ(comparison.cells.size(), 3U);
  for (const ComparedCell& cell : comparison.cells) EXPECT_TRUE(cell.same);
  ASSERT_TRUE(comparison.on_data[0]);
  EXPECT_EQ(comparison.on_data[0]->log_ratio.mean, 0);
  EXPECT_FALSE(comparison.worse());
}

TEST(Comparison, EachLosesOnTheDataOfTheOther) {
  const Comparison comparison = compare(kRing, kPairwise);
  // By the data of kRing, ring takes half as long; by those of kPairwise 1.5, 1.5 and 2 times.
  EXPECT_NEAR(std::exp(comparison.on_data[0]->log_ratio.mean), 0.5, 1e-3);
  EXPECT_NEAR(std::exp(comparison.on_data[1]->log_ratio.mean), std::cbrt(1.5 * 1.5 * 2), 1e-3);
  EXPECT_NEAR(comparison.on_data[1]->worst_loss[0], 1, 1e-3);
  EXPECT_EQ(comparison.on_data[1]->worst[0].message, Bytes{32});
  EXPECT_EQ(comparison.on_data[1]->worst_loss[1], 0);
  EXPECT_FALSE(comparison.worse());  // each is ahead at home
}

TEST(Comparison, WhoLosesByAllDataIsWorse) {
  Side table{.name = "table", .table = kPairwise.table};
  EXPECT_EQ(compare(table, kRing).worse(), 0);
  EXPECT_EQ(compare(kRing, table).worse(), 1);
}

TEST(Comparison, ByTheDataOfTheOtherAloneItHasToLoseMoreThanAsGood) {
  const Side data =
      side({{"native", {4, 4, 4}}, {"ring", {1, 1, 1}}, {"pairwise_ring", {1.02, 1.02, 1.02}}});
  const Side table{.name = "table", .table = kPairwise.table};
  EXPECT_FALSE(compare(table, data).worse());
}

TEST(Comparison, MoreProcessesThanCoresCountInNoMeanBesideOthers) {
  Side data = kRing;
  const Side table{.name = "table", .table = kPairwise.table};
  ASSERT_EQ(compare(table, data).worse(), 0);
  for (Decision& each : data.data) each.oversubscribed = each.problem.message != Bytes{8};
  const OnData some = *compare(table, data).on_data[1];
  EXPECT_EQ(some.cells, 1);
  EXPECT_EQ(some.aside, 2);
  for (Decision& each : data.data) each.oversubscribed = true;
  const OnData all = *compare(table, data).on_data[1];
  EXPECT_EQ(all.cells, 3);
  EXPECT_EQ(all.aside, 0);
}

TEST(Comparison, OtherKindsOfDataAreRefused) {
  Side other = kRing;
  other.table.datatype = Datatype::double_;
  EXPECT_THROW(static_cast<void>(compare(kRing, other)), UsageError);
}

TEST(Comparison, SignificantlySlowerThanNativeIsCounted) {
  const Side slow =
      side({{"native", {1, 1, 1}}, {"ring", {1.2, 1.2, 1.01}}, {"pairwise_ring", {2, 2, 2}}});
  const OnData data = *compare(kRing, slow).on_data[1];
  EXPECT_EQ(data.slower_than_native[0], 2);
  EXPECT_EQ(data.slower_than_native[1], 0);
}

TEST(Comparison, EqualSchedulesAreOneChoice) {
  const auto at_two = [](const std::string& algorithm) {
    std::vector<Measurement> all = join({launches(allreduce("native", 2, 8), {4, 4, 4}),
                                         launches(allreduce(algorithm, 2, 8), {1, 1, 1})});
    return Side{.table = make_table(all), .data = decide(all)};
  };
  const Comparison comparison = compare(at_two("recursive_doubling"), at_two("elimination_21"));
  EXPECT_TRUE(comparison.cells.at(0).same);
  EXPECT_EQ(comparison.on_data[0]->not_measured, 0);
  EXPECT_TRUE(compare(at_two("elimination_21"), at_two("recursive_doubling")).cells.at(0).same);
}

TEST(Comparison, WhatOneSideHasNotMeasuredIsCounted) {
  const Side ring = side({{"native", {4, 4, 4}}, {"ring", {1, 1, 1}}});
  const OnData data = *compare(ring, kPairwise).on_data[0];
  EXPECT_EQ(data.cells, 0);
  EXPECT_EQ(data.not_measured, 3);
}

TEST(Comparison, TablesWithoutDataDifferWhereTheirRulesDo) {
  const Side one{.name = "one", .table = kRing.table};
  const Side other{.name = "other", .table = kPairwise.table};
  const Comparison comparison = compare(one, other);
  ASSERT_EQ(comparison.cells.size(), 2U);  // 8 and 32 B
  EXPECT_FALSE(comparison.cells[0].same);
  EXPECT_FALSE(comparison.cells[0].as_good());
  EXPECT_FALSE(comparison.worse());
  EXPECT_FALSE(comparison.each_slower_by_the_other());
  const std::string text = comparison_text(comparison, one, other);
  EXPECT_NE(text.find("2 cells (a size at a p): 0 with the same choice"), std::string::npos)
      << text;
  EXPECT_NE(text.find("allreduce p = 4, 8 B to 32 B: A ring, B pairwise_ring\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("No data say which is slower"), std::string::npos) << text;
}

TEST(Comparison, TheTextSaysWhatIsLostAndWhere) {
  const std::string text = comparison_text(compare(kRing, kPairwise), kRing, kPairwise);
  for (const char* words : {"by the data of B: A's choices take 1.651 (1.6",
                            "A loses 100.0 % at worst (allreduce p = 4, 32 B)",
                            "A / B at 8 B, by the data of:  A 0.500 (",
                            "Each is significantly slower by the other's data"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
}

}  // namespace
}  // namespace breakeven::tuner
