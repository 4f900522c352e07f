// SPDX-License-Identifier: BSD-3-Clause
#include "tables/saving.hpp"

#include <gtest/gtest.h>

namespace breakeven::tables {
namespace {

Rule ring(int procs, int nodes = 1) {
  return {.what = {.variant = Ours{"ring"},
                   .procs = procs,
                   .nodes = nodes,
                   .procs_per_node = procs / nodes,
                   .message = Bytes{8}},
          .first_measured = Bytes{8},
          .last_measured = Bytes{1024},
          .speedup = Speedup{.ratio = 3, .low = 2, .high = 4}};
}

Use calls(NodeLayout layout, std::int64_t message) {
  return {.collective = Collective::allreduce,
          .layout = layout,
          .message = Bytes{message},
          .variant = Ours{"ring"}};
}

const NodeLayout kFour{.procs = 4, .nodes = 1, .procs_per_node = 4};
const NodeLayout kFourOnTwo{.procs = 4, .nodes = 2, .procs_per_node = 2};
const NodeLayout kSix{.procs = 6, .nodes = 1, .procs_per_node = 6};
const Table kTable{.rules = {ring(2), ring(4)}};
const Amount kOneSecond{.calls = 10, .seconds = 1};

double saved_s(NodeLayout layout, std::int64_t message) {
  const Saving saving = saving_of(calls(layout, message), kOneSecond, kTable, nullptr);
  EXPECT_EQ(to_text(saving.variant), "ring");
  EXPECT_EQ(saving.speedup.has_value(), saving.saved_s.has_value());
  return saving.saved_s.value_or(0);
}

TEST(Saving, IsClaimedWhereTheTableWasMeasured) {
  for (const std::int64_t message : {8, 64, 1024}) EXPECT_EQ(saved_s(kFour, message), 2) << message;
}

TEST(Saving, IsNotClaimedAtOtherLayoutsOrSizes) {
  EXPECT_EQ(saved_s(kSix, 64), 0);
  EXPECT_EQ(saved_s(kFourOnTwo, 64), 0);
  EXPECT_EQ(saved_s(kFour, 4), 0);
  EXPECT_EQ(saved_s(kFour, 2048), 0);
}

TEST(Saving, OfCallsThatMayBeHiddenIsASpeedupAlone) {
  Table library = kTable;
  for (Rule& rule : library.rules) rule.what.form = CallForm::nonblocking;
  Use use = calls(kFour, 64);
  use.variant = Native{};
  for (const CallForm form : {CallForm::nonblocking, CallForm::persistent}) {
    use.form = form;
    const Saving saving = saving_of(use, kOneSecond, kTable, &library);
    EXPECT_EQ(to_text(saving.variant), "ring");
    EXPECT_EQ(saving.speedup->ratio, 3);
    EXPECT_FALSE(saving.saved_s);
  }
  use.form = CallForm::blocking;
  EXPECT_EQ(to_text(saving_of(use, kOneSecond, kTable, &library).variant), "native");
}

TEST(Saving, IsNotClaimedWhereTheLibraryRunsAnotherAlgorithm) {
  Table library = kTable;
  for (Rule& rule : library.rules) rule.what.variant = LibraryOwn{"openmpi", "ring"};
  Use use = calls(kFour, 64);
  use.variant = Native{};
  const auto saving = [&](const char* ran) {
    use.native = LibraryOwn{"openmpi", ran};
    return saving_of(use, kOneSecond, kTable, &library);
  };
  EXPECT_TRUE(saving("ring").speedup.has_value());
  EXPECT_FALSE(saving("linear").speedup.has_value());
  EXPECT_EQ(to_text(saving("linear").variant), "native");
}

TEST(Saving, LayoutsWithoutRulesAreNamed) {
  Profile profile;
  profile.uses = {{calls(kFour, 8), kOneSecond}};
  EXPECT_TRUE(layouts_without_rules(profile, kTable).empty());
  profile.uses = {{calls(kSix, 8), kOneSecond}, {calls(kFourOnTwo, 8), kOneSecond}};
  EXPECT_EQ(layouts_without_rules(profile, kTable),
            "the table has no rules for p = 4 as 2 x 2 seq, 6 (it has 2, 4)");
  Use of_another_collective = calls(kSix, 8);
  of_another_collective.collective = Collective::bcast;
  profile.uses = {{of_another_collective, kOneSecond}};
  EXPECT_TRUE(layouts_without_rules(profile, kTable).empty());
}

}  // namespace
}  // namespace breakeven::tables
