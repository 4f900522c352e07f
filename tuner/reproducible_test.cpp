// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/reproducible.hpp"

#include <gtest/gtest.h>

#include "tables/testing.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::tuner {
namespace {

using tables::testing::allreduce;

/// Adds one candidate's time at one problem, in four launches.
void measure(std::vector<Measurement>& measured, const Case& what, double seconds) {
  for (int launch = 0; launch < 4; ++launch) {
    const double time = seconds * (1 + 0.001 * launch);
    measured.push_back({.what = what,
                        .launch = launch,
                        .repeat = launch,
                        .samples = 100,
                        .median = {time},
                        .low = {time},
                        .high = {time}});
  }
}

/// At p = 4 and 8: the ring is fastest for the long message, recursive doubling for the short one.
std::vector<Measurement> two_algorithms() {
  std::vector<Measurement> measured;
  for (const int procs : {4, 8}) {
    measure(measured, allreduce("native", procs, 8), 10);
    measure(measured, allreduce("recursive_doubling", procs, 8), 1);
    measure(measured, allreduce("ring", procs, 8), 4);
    measure(measured, allreduce("native", procs, 8192), 100);
    measure(measured, allreduce("recursive_doubling", procs, 8192), 40);
    measure(measured, allreduce("ring", procs, 8192), 10);
  }
  return measured;
}

bool same_bits(const Case& what) { return is_reproducible(what, SameBits::each_procs); }
bool same_bits_across(const Case& what) { return is_reproducible(what, SameBits::across_procs); }

tables::Table reproducible_table(std::span<const Measurement> measured, TableKey key = {}) {
  const Reproducible found = reproducible(measured, key, SameBits::each_procs);
  key.fixed = fixed_by(found.choices);
  return make_table(found.measurements, key);
}

TEST(Reproducible, OneExpressionForEveryBlockOnEveryRank) {
  EXPECT_TRUE(same_bits(allreduce("recursive_doubling", 8, 8)));
  EXPECT_TRUE(same_bits(allreduce("recursive_doubling", 6, 8)));
  EXPECT_TRUE(same_bits(allreduce("halving_doubling", 8, 8)));
  EXPECT_FALSE(same_bits(allreduce("ring", 3, 8)));
  EXPECT_TRUE(same_bits(allreduce("ring", 2, 8)));  // of two operands
  // The same bits on all ranks, but each block in an order of its own.
  EXPECT_FALSE(same_bits(allreduce("pairwise_ring", 5, 8)));
  Case reduce = allreduce("binomial", 7, 8);
  reduce.collective = Collective::reduce;
  EXPECT_TRUE(same_bits(reduce));
  EXPECT_FALSE(same_bits(allreduce("native", 8, 8)));
  EXPECT_FALSE(same_bits(allreduce("openmpi:recursive_doubling", 8, 8)));
}

TEST(Reproducible, AcrossProcessCountsOneTree) {
  EXPECT_TRUE(same_bits_across(allreduce("fixed_tree", 7, 8)));
  EXPECT_TRUE(same_bits_across(allreduce("binary_blocks", 6, 8)));
  EXPECT_TRUE(same_bits_across(allreduce("reduce_bcast", 5, 8)));
  // Along the tree where p is a power of two, with other pairs elsewhere.
  EXPECT_FALSE(same_bits_across(allreduce("recursive_doubling", 8, 8)));
  EXPECT_FALSE(same_bits_across(allreduce("fixed_tree:reorder_ranks=0,2,1,3", 4, 8)));
  Case reduce = allreduce("binomial", 8, 8);
  reduce.collective = Collective::reduce;
  EXPECT_FALSE(same_bits_across(reduce));  // its pairs change with the root
  reduce.variant = Variant::parse("fixed_tree");
  EXPECT_TRUE(same_bits_across(reduce));
  reduce.variant = Variant::parse("fixed_tree:segments=4");  // native where p is not measured
  EXPECT_FALSE(same_bits_across(reduce));
  Case scan = allreduce("recursive_doubling", 7, 8);
  scan.collective = Collective::scan;
  EXPECT_TRUE(same_bits_across(scan));
  scan.variant = Variant::parse("doubling");
  EXPECT_TRUE(same_bits(scan));
  EXPECT_FALSE(same_bits_across(scan));
}

TEST(Reproducible, AcrossProcessCountsAFasterAlgorithmWithOtherPairsIsLeftOut) {
  std::vector<Measurement> measured;
  for (const int procs : {6, 8}) {
    measure(measured, allreduce("native", procs, 8), 10);
    measure(measured, allreduce("recursive_doubling", procs, 8), 1);
    measure(measured, allreduce("binary_blocks", procs, 8), 2);
  }
  EXPECT_EQ(reproducible(measured, {}, SameBits::each_procs).choices.at(0).variant.algorithm(),
            "recursive_doubling");
  const Reproducible across = reproducible(measured, {}, SameBits::across_procs);
  EXPECT_EQ(across.choices.at(0).variant.algorithm(), "binary_blocks");
  EXPECT_NEAR(across.choices.at(0).mean_slowdown, 2, 1e-9);
  EXPECT_NE(lines_of(across.choices, SameBits::across_procs)[0].find("binary_blocks, at every p:"),
            std::string::npos);
  const tables::Table table = make_table(across.measurements, {.fixed = fixed_by(across.choices)});
  for (const int procs : {2, 7, 100}) {  // not measured
    EXPECT_EQ(tables::chosen_variant(table, allreduce("", procs, 8)), "binary_blocks");
  }
}

TEST(Reproducible, ATableDoesNotSwitchAtABreakEvenPoint) {
  const std::vector<Measurement> measured = two_algorithms();
  EXPECT_EQ(tables::chosen_variant(make_table(measured), allreduce("", 8, 8192)), "ring");
  const tables::Table table = reproducible_table(measured);
  ASSERT_EQ(table.rules.size(), 2U);  // one for each p
  for (const std::int64_t bytes : {0, 8, 8192, 1 << 24}) {
    EXPECT_EQ(tables::chosen_variant(table, allreduce("", 8, bytes)), "recursive_doubling");
  }
  ASSERT_TRUE(table.rules[0].speedup);
  EXPECT_NEAR(table.rules[0].speedup->ratio, 2.5, 1e-9);
}

TEST(Reproducible, SaysWhatItCosts) {
  const std::vector<std::string> lines = lines_of(
      reproducible(two_algorithms(), {}, SameBits::each_procs).choices, SameBits::each_procs);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "allreduce recursive_doubling: slowdown 2.00 (geometric mean), 4.00 (4.00-4.00) at "
            "worst (p = 4, 8 KiB)");
}

TEST(Reproducible, SaysNoCostOfMoreProcessesThanCoresBesideOthers) {
  std::vector<Measurement> measured = two_algorithms();
  for (Measurement& each : measured) {
    each.oversubscribed = each.what.procs == 8;
    const bool slow = each.oversubscribed && each.what.variant.algorithm() == "recursive_doubling";
    if (slow && each.what.message == Bytes{8192}) each.median.value *= 2;
  }
  EXPECT_EQ(lines_of(reproducible(measured, {}, SameBits::each_procs).choices, SameBits::each_procs)
                .at(0),
            "allreduce recursive_doubling: slowdown 2.00 (geometric mean), 4.00 (4.00-4.00) at "
            "worst (p = 4, 8 KiB)");
}

TEST(Reproducible, TheLeastGeometricMeanWins) {
  std::vector<Measurement> measured = two_algorithms();
  for (const int procs : {4, 8}) {
    measure(measured, allreduce("halving_doubling", procs, 8), 2);
    measure(measured, allreduce("halving_doubling", procs, 8192), 12);
  }
  EXPECT_EQ(reproducible(measured, {}, SameBits::each_procs).choices.at(0).variant.algorithm(),
            "halving_doubling");
}

TEST(Reproducible, WhatWasNotMeasuredEverywhereIsNoChoice) {
  std::vector<Measurement> measured = two_algorithms();
  std::erase_if(measured, [](const Measurement& each) {
    return each.what == allreduce("recursive_doubling", 8, 8192);
  });
  const Reproducible found = reproducible(measured, {}, SameBits::each_procs);
  EXPECT_EQ(found.choices.at(0).variant, Variant{Native{}});
  EXPECT_NE(lines_of(found.choices, SameBits::each_procs)[0].find("of whose bits nothing is known"),
            std::string::npos);
  EXPECT_EQ(tables::chosen_variant(reproducible_table(measured), allreduce("", 8, 8)), kNative);
}

TEST(Reproducible, WhatNoLaunchMeasuredHasNoSlowdown) {
  std::vector<Measurement> measured;
  measure(measured, allreduce("recursive_doubling", 4, 8), 1);
  measure(measured, allreduce("halving_doubling", 8, 8), 1);
  const Reproducible found = reproducible(measured, {}, SameBits::each_procs);
  EXPECT_EQ(lines_of(found.choices, SameBits::each_procs).at(0),
            "allreduce native, of whose bits nothing is known: slowdown unknown, as no launch "
            "measured it and the fastest; no algorithm that keeps bits was measured everywhere");
}

TEST(Reproducible, AnEqualScheduleIsAMeasurementOfTheChoice) {
  std::vector<Measurement> measured = two_algorithms();
  for (Measurement& each : measured) {
    const bool four = each.what.procs == 4;
    if (four && each.what.variant.algorithm() == "recursive_doubling")
      each.what.variant = Ours{"elimination_21"};
  }
  const tables::Table table = reproducible_table(measured);
  ASSERT_EQ(table.rules.size(), 2U);  // one for each p
  EXPECT_EQ(tables::chosen_variant(table, allreduce("", 4, 8)), "recursive_doubling");
  EXPECT_EQ(tables::chosen_variant(table, allreduce("", 8, 8)), "recursive_doubling");
}

TEST(Reproducible, AnEqualScheduleOfOneRootMayKeepTheBitsOfAll) {
  std::vector<Measurement> measured;
  for (const std::string name : {"native", "binomial"}) {
    Case reduce = allreduce(name, 5, 8);
    reduce.collective = Collective::reduce;
    measure(measured, reduce, name == "native" ? 10 : 1);
  }
  const auto chosen = [&](SameBits scope) {
    return reproducible(measured, {}, scope).choices.at(0).variant.algorithm();
  };
  EXPECT_EQ(chosen(SameBits::each_procs), "binomial");
  EXPECT_EQ(chosen(SameBits::across_procs), "fixed_tree");
}

TEST(Reproducible, CollectivesThatDoNotReduceAndALibrarysTableKeepWhatTheyCan) {
  std::vector<Measurement> measured;
  for (const std::string library : {"native", "openmpi:recursive_doubling"}) {
    const double seconds = library == "native" ? 10 : 1;
    measure(measured, allreduce(library, 4, 8), seconds);
    Case gathered = allreduce(library, 4, 8);
    gathered.collective = Collective::allgather;
    gathered.op = Op::none;
    measure(measured, gathered, seconds);
  }
  const tables::Table table =
      reproducible_table(measured, {.candidates = tables::Candidates::library});
  EXPECT_EQ(tables::chosen_variant(table, allreduce("", 4, 8)), kNative);
  Case gathered = allreduce("", 4, 8);
  gathered.collective = Collective::allgather;
  EXPECT_EQ(tables::chosen_variant(table, gathered), "openmpi:recursive_doubling");
}

}  // namespace
}  // namespace breakeven::tuner
