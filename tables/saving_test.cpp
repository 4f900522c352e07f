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

Saving of_one_second(const Use& use, const Table* library = nullptr) {
  return saving_of({.uses = {{use, kOneSecond}}}, use, kTable, library);
}

double saved_s(NodeLayout layout, std::int64_t message) {
  const Saving saving = of_one_second(calls(layout, message));
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

TEST(Saving, IsNotClaimedInPlaceAsTablesAreMeasuredApart) {
  Use use = calls(kFour, 64);
  use.in_place = true;
  EXPECT_FALSE(of_one_second(use).speedup);
}

TEST(Saving, IsNotClaimedOfWaiting) {
  const Use use = calls(kFour, 64);
  Profile profile{.uses = {{use, kOneSecond}},
                  .kinds = {{.use = use, .stride = 1, .prompt_s = 0.03},
                            {.use = use, .stride = 2, .prompt_s = 0.02}}};
  const auto saved_s = [&] { return *saving_of(profile, use, kTable, nullptr).saved_s; };
  EXPECT_NEAR(saved_s(), 0.4, 1e-9);
  profile = sum_of({profile, profile});
  EXPECT_NEAR(saved_s(), 0.8, 1e-9);
}

TEST(ObservedSaving, IsTheChangeOfTheMeanTimeOfCallsWithAnotherAlgorithm) {
  const Use ours = calls(kFour, 64);
  Use native = ours;
  native.variant = Native{};
  native.native = LibraryOwn{"openmpi", "linear"};
  Use other = native;
  other.message = Bytes{8};
  const Profile before{
      .uses = {{native, {.calls = 100, .seconds = 2}}, {other, {.calls = 1, .seconds = 9}}}};
  const auto saved_s = [&](const Use& use, double seconds) {
    const auto saved =
        observed_saving({.uses = {{use, {.calls = 10, .seconds = seconds}}}}, before);
    return saved ? std::optional{saved->least_s} : std::nullopt;
  };
  EXPECT_NEAR(*saved_s(ours, 0.05), 0.15, 1e-9);
  EXPECT_NEAR(*saved_s(ours, 0.5), -0.3, 1e-9);
  EXPECT_FALSE(saved_s(native, 0.05));
  EXPECT_FALSE(saved_s(calls(kSix, 64), 0.05));
  EXPECT_FALSE(observed_saving(before, {}));
}

TEST(ObservedSaving, IsByMeansAndByCallsThatHardlyWait) {
  const Use ours = calls(kFour, 64);
  Use native = ours;
  native.variant = Native{};
  const auto run = [](const Use& use, double seconds, double prompt_s) {
    return Profile{.uses = {{use, {.calls = 10, .seconds = seconds}}},
                   .kinds = {{.use = use, .stride = 1, .prompt_s = prompt_s}}};
  };
  const auto saved = [&](double mean_before_s, double prompt_before_s) {
    return *observed_saving(run(ours, 1, 0.05), run(native, 10 * mean_before_s, prompt_before_s));
  };
  EXPECT_NEAR(saved(0.9, 0.07).least_s, 0.2, 1e-9);
  EXPECT_NEAR(saved(0.11, 0.07).least_s, 0.1, 1e-9);
  EXPECT_NEAR(saved(0.11, 0.04).least_s, -0.1, 1e-9);
  EXPECT_NEAR(saved(0.11, 0.04).most_s, 0.1, 1e-9);
  EXPECT_LT(saved(0.09, 0.04).most_s, 0);
}

TEST(Saving, OfCallsThatMayBeHiddenIsASpeedupAlone) {
  Table library = kTable;
  for (Rule& rule : library.rules) rule.what.form = CallForm::nonblocking;
  Use use = calls(kFour, 64);
  use.variant = Native{};
  for (const CallForm form : {CallForm::nonblocking, CallForm::persistent}) {
    use.form = form;
    const Saving saving = of_one_second(use, &library);
    EXPECT_EQ(to_text(saving.variant), "ring");
    EXPECT_EQ(saving.speedup->ratio, 3);
    EXPECT_FALSE(saving.saved_s);
  }
  use.form = CallForm::blocking;
  EXPECT_EQ(to_text(of_one_second(use, &library).variant), "native");
}

TEST(Saving, IsNotClaimedWhereTheLibraryRunsAnotherAlgorithm) {
  Table library = kTable;
  for (Rule& rule : library.rules) rule.what.variant = LibraryOwn{"openmpi", "ring"};
  Use use = calls(kFour, 64);
  use.variant = Native{};
  const auto saving = [&](const char* ran) {
    use.native = LibraryOwn{"openmpi", ran};
    return of_one_second(use, &library);
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
