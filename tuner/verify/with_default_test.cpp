// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/with_default.hpp"

#include <gtest/gtest.h>

#include "tables/testing.hpp"

namespace breakeven::verify {
namespace {

using tables::testing::allreduce;

tables::Rule rule(const std::string& algorithm, int procs, std::int64_t from) {
  return {.what = allreduce(algorithm, procs, from), .speedup = tables::Speedup{2, 1.5, 2.5}};
}

/// native below 64, nb from there, ring from 1024 on, at p = 4; nb at p = 8.
tables::Table table() {
  return {.candidates = tables::Candidates::library,
          .rules = {rule("native", 4, 8), rule("mpich:nb", 4, 64),
                    rule("mpich:recursive_doubling", 4, 1024), rule("mpich:nb", 8, 8)}};
}

/// "8 native, 64 mpich:nb" of a p.
std::string rules_at(const tables::Table& of, int procs) {
  std::string text;
  for (const tables::Rule& each : of.rules) {
    if (each.what.procs != procs) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(each.what.message.value) + " " +
            each.what.variant.algorithm();
  }
  return text;
}

TakenBack back(const std::string& algorithm, int procs, std::int64_t from, std::int64_t to) {
  return {.what = allreduce(algorithm, procs, 100), .from = {from}, .to = {to}};
}

TEST(WithDefault, CutsAHoleIntoARule) {
  const tables::Table cut = with_default(table(), back("mpich:nb", 4, 128, 256));
  EXPECT_EQ(rules_at(cut, 4),
            "8 native, 64 mpich:nb, 128 native, 256 mpich:nb, 1024 mpich:recursive_doubling");
  EXPECT_EQ(rules_at(cut, 8), "8 mpich:nb");
  EXPECT_FALSE(cut.rules.at(2).speedup);
}

TEST(WithDefault, JoinsWithWhatIsNativeAlready) {
  EXPECT_EQ(rules_at(with_default(table(), back("mpich:nb", 4, 0, 256)), 4),
            "8 native, 256 mpich:nb, 1024 mpich:recursive_doubling");
}

TEST(WithDefault, GivesAProcessCountBetweenOthersARuleOfItsOwn) {
  EXPECT_EQ(rules_at(with_default(table(), back("mpich:smp", 6, 0, 1 << 30)), 6), "");
  const tables::Table cut = with_default(table(), back("mpich:nb", 6, 0, 1 << 30));
  EXPECT_EQ(rules_at(cut, 6), "100 native");
  EXPECT_EQ(std::ranges::find(cut.rules, 6, [](auto& each) { return each.what.procs; })->launches,
            1);
  EXPECT_EQ(chosen_variant(cut, allreduce("native", 6, 5000)), "native");
}

TEST(WithDefault, AnotherChoiceAtThoseSizesStays) {
  EXPECT_EQ(rules_at(with_default(table(), back("mpich:nb", 4, 512, 1 << 30)), 4),
            "8 native, 64 mpich:nb, 512 native, 1024 mpich:recursive_doubling");
  EXPECT_EQ(rules_at(with_default(table(), back("ring", 4, 0, 1 << 30)), 4),
            "8 native, 64 mpich:nb, 1024 mpich:recursive_doubling");
}

TEST(WithDefault, WhatIsLeftOfARuleHasWhatWasMeasuredThere) {
  tables::Table gained = table();
  gained.rules[1].gains = {{{64}, {2, 1.9, 2.1}}, {{128}, {1.1, 1, 1.2}}, {{512}, {3, 2.9, 3.1}}};
  gained.rules[1].sizes = 3;
  const tables::Table cut = with_default(gained, back("mpich:nb", 4, 100, 256));
  ASSERT_EQ(rules_at(cut, 4),
            "8 native, 64 mpich:nb, 100 native, 256 mpich:nb, 1024 mpich:recursive_doubling");
  EXPECT_EQ(cut.rules[1].last_measured, Bytes{64});
  EXPECT_EQ(cut.rules[1].speedup->ratio, 2);
  EXPECT_EQ(cut.rules[3].sizes, 1);
  EXPECT_EQ(cut.rules[3].speedup->ratio, 3);
}

TEST(WithDefault, NoPieceOfARuleStaysWithoutAMeasurement) {
  tables::Table gained = table();
  gained.rules[1].gains = {{{128}, {1.1, 1, 1.2}}, {{256}, {1.1, 1, 1.2}}};
  EXPECT_EQ(rules_at(with_default(gained, back("mpich:nb", 4, 100, 512)), 4),
            "8 native, 1024 mpich:recursive_doubling");
  EXPECT_EQ(rules_at(with_default(gained, back("mpich:nb", 4, 100, 200)), 4),
            "8 native, 200 mpich:nb, 1024 mpich:recursive_doubling");
}

Verification verification_of(std::vector<VerifiedCell> cells) {
  return {.cells = std::move(cells)};
}

VerifiedCell tried(int procs, std::int64_t bytes, const char* choice, double speedup, bool fails) {
  return {.problem = allreduce("", procs, bytes),
          .choice = Variant::parse(choice),
          .speedup = {.median = speedup},
          .fails = fails};
}

/// The table without what does not hold, and how many rules that were.
tables::Table where_verified(tables::Table of, const Verification& verification, int& rewritten) {
  const std::vector<TakenBack> all = taken_back(of, verification);
  for (const TakenBack& each : all) of = with_default(std::move(of), each);
  rewritten = static_cast<int>(lines_of(all).size());
  return of;
}

TEST(WhereVerified, CellsThatFailGoBackToTheDefaultAndNoOthers) {
  int rewritten = 0;
  const tables::Table verified = where_verified(
      table(),
      verification_of({tried(4, 64, "mpich:nb", 2, false), tried(4, 256, "mpich:nb", 0.9, true),
                       tried(4, 1024, "mpich:recursive_doubling", 1.2, false),
                       tried(8, 64, "mpich:nb", 1.1, false)}),
      rewritten);
  EXPECT_EQ(rewritten, 1);
  EXPECT_EQ(rules_at(verified, 4),
            "8 native, 64 mpich:nb, 128 native, 512 mpich:nb, 1024 mpich:recursive_doubling");
  EXPECT_EQ(rules_at(verified, 8), "8 mpich:nb");
}

TEST(WhereVerified, RulesThatWereNotFoundFasterGoBackToTheDefault) {
  int rewritten = 0;
  const tables::Table verified =
      where_verified(table(),
                     verification_of({tried(4, 512, "mpich:nb", 1.1, false),
                                      tried(4, 2048, "mpich:recursive_doubling", 0.99, false)}),
                     rewritten);
  EXPECT_EQ(rewritten, 1);
  EXPECT_EQ(rules_at(verified, 4), "8 native, 64 mpich:nb, 1024 native");
}

TEST(WhereVerified, TheReasonIsWhatWasMeasured) {
  VerifiedCell failing = tried(4, 256, "mpich:nb", 0.5, true);
  failing.speedup.low = 0.4;
  failing.speedup.high = 0.625;
  EXPECT_EQ(lines_of(taken_back(
                table(), verification_of(
                             {failing, tried(4, 1024, "mpich:recursive_doubling", 0.99, false)}))),
            (std::vector<std::string>{
                "allreduce, p = 4: not mpich:nb, which is 0.50 (0.40-0.62) times as fast as native "
                "at 256 B",
                "allreduce, p = 4: not mpich:recursive_doubling, which is not faster than native: "
                "0.99 times in the geometric mean of 1 size"}));
}

TEST(WhereVerified, ARuleHasToHoldWithAllCounts) {
  // native at 8, openmpi:ring from 64 on
  tables::Table gathers{.candidates = tables::Candidates::library,
                        .rules = {rule("native", 4, 8), rule("openmpi:ring", 4, 64)}};
  for (tables::Rule& each : gathers.rules) each.what.collective = Collective::allgatherv;
  const auto with = [](Counts counts, VerifiedCell cell) {
    cell.problem.collective = Collective::allgatherv;
    cell.problem.counts = counts;
    return cell;
  };
  const auto rules_after = [&](double speedup, bool fails) {
    int rewritten = 0;
    const Verification verification =
        verification_of({with(Counts::equal, tried(4, 64, "openmpi:ring", 2, false)),
                         with(Counts::linear, tried(4, 64, "openmpi:ring", speedup, fails)),
                         with(Counts::equal, tried(4, 256, "openmpi:ring", 2, false)),
                         with(Counts::linear, tried(4, 256, "openmpi:ring", 1.1, false))});
    return rules_at(where_verified(gathers, verification, rewritten), 4);
  };
  EXPECT_EQ(rules_after(1.2, false), "8 native, 64 openmpi:ring");
  EXPECT_EQ(rules_after(0.95, true), "8 native, 128 openmpi:ring");
  EXPECT_EQ(rules_after(0.9, false), "8 native");  // together slower with linear counts
}

}  // namespace
}  // namespace breakeven::verify
