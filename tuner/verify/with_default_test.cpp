// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/with_default.hpp"

#include <gtest/gtest.h>

#include "tuner/testing.hpp"

namespace breakeven::verify {
namespace {

using tuner::testing::allreduce;

tuner::Rule rule(const std::string& algorithm, int procs, std::int64_t from) {
  return {.what = allreduce(algorithm, procs, from), .speedup = tuner::Speedup{2, 1.5, 2.5}};
}

/// native below 64, nb from there, ring from 1024 on, at p = 4; nb at p = 8.
tuner::Table table() {
  return {.candidates = tuner::Candidates::library,
          .rules = {rule("native", 4, 8), rule("mpich:nb", 4, 64),
                    rule("mpich:recursive_doubling", 4, 1024), rule("mpich:nb", 8, 8)}};
}

/// "8 native, 64 mpich:nb" of a p.
std::string rules_at(const tuner::Table& of, int procs) {
  std::string text;
  for (const tuner::Rule& each : of.rules) {
    if (each.what.procs != procs) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(each.what.message.value) + " " +
            each.what.algorithm;
  }
  return text;
}

TEST(WithDefault, CutsAHoleIntoARule) {
  const tuner::Table cut = with_default(table(), allreduce("", 4, 8), {128}, {256});
  EXPECT_EQ(rules_at(cut, 4),
            "8 native, 64 mpich:nb, 128 native, 256 mpich:nb, 1024 mpich:recursive_doubling");
  EXPECT_EQ(rules_at(cut, 8), "8 mpich:nb");
  EXPECT_FALSE(cut.rules.at(2).speedup);
}

TEST(WithDefault, JoinsWithWhatIsNativeAlready) {
  EXPECT_EQ(rules_at(with_default(table(), allreduce("", 4, 8), {0}, {256}), 4),
            "8 native, 256 mpich:nb, 1024 mpich:recursive_doubling");
  EXPECT_EQ(rules_at(with_default(table(), allreduce("", 4, 8), {512}, {1 << 30}), 4),
            "8 native, 64 mpich:nb, 512 native, 1073741824 mpich:recursive_doubling");
}

TEST(WithDefault, GivesAProcessCountBetweenOthersARuleOfItsOwn) {
  const tuner::Table cut = with_default(table(), allreduce("", 6, 100), {0}, {1 << 30});
  EXPECT_EQ(rules_at(cut, 6), "100 native");
  EXPECT_EQ(cut.choose(Collective::allreduce, 6, Bytes{5000}).algorithm, "native");
}

Verification verification_of(std::vector<VerifiedCell> cells) {
  return {.cells = std::move(cells)};
}

VerifiedCell tried(int procs, std::int64_t bytes, const char* choice, double speedup, bool fails) {
  return {.problem = allreduce("", procs, bytes),
          .choice = choice,
          .speedup = {.median = speedup},
          .fails = fails};
}

TEST(WhereVerified, CellsThatFailGoBackToTheDefaultAndNoOthers) {
  int rewritten = 0;
  const tuner::Table verified = where_verified(
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
  const tuner::Table verified =
      where_verified(table(),
                     verification_of({tried(4, 512, "mpich:nb", 1.1, false),
                                      tried(4, 2048, "mpich:recursive_doubling", 0.99, false)}),
                     rewritten);
  EXPECT_EQ(rewritten, 1);
  EXPECT_EQ(rules_at(verified, 4), "8 native, 64 mpich:nb, 1024 native");
}

TEST(WhereVerified, ARuleHasToHoldWithAllCounts) {
  // native at 8, openmpi:ring from 64 on
  tuner::Table gathers{.candidates = tuner::Candidates::library,
                       .rules = {rule("native", 4, 8), rule("openmpi:ring", 4, 64)}};
  for (tuner::Rule& each : gathers.rules) each.what.collective = Collective::allgatherv;
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
