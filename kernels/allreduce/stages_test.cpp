// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/stages.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/build.hpp"
#include "kernels/price.hpp"

namespace breakeven::kernels::allreduce {
namespace {

using Texts = std::vector<std::string>;

Texts factored_lists(int procs) {
  Texts factored = stage_lists(procs);
  std::erase_if(factored, [](const std::string& text) { return text.front() != 'a'; });
  return factored;
}

bool lists(int procs, const std::string& text) {
  const Texts all = stage_lists(procs);
  return std::ranges::find(all, text) != all.end();
}

std::string stages_refusal(std::string_view text) {
  try {
    static_cast<void>(Stages::parse(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Stages, ReadsTheThreeKinds) {
  EXPECT_EQ(Stages::parse("a3,a4"), (Stages{.factors = {3, 4}}));
  EXPECT_EQ(Stages::parse("c6m2,a2,a2,e6m2"),
            (Stages{.factors = {2, 2}, .collapsing = 6, .collapse_base = 2}));
  EXPECT_EQ(Stages::parse("m3g2a2,n3g2a2"), (Stages{.factors = {2, 2}, .remaining = 3}));
  EXPECT_EQ(Stages::parse("c6m2,a2,a2,e6m2").procs(), 7);
  EXPECT_EQ(Stages::parse("m1g2a3,n1g3a2").procs(), 7);
  EXPECT_EQ(Stages::parse("m3g2a2,n3g2a2").procs(), 7);
  EXPECT_EQ(Stages::parse("c5m5,e5m5").procs(), 5);
}

TEST(Stages, RefusesInOneLineWhatIsNoSchedule) {
  EXPECT_EQ(stages_refusal("a3,b4"), "stage 'b4' is none of aB, cTmB, eTmB, mRgGaB, nRgGaB");
  EXPECT_EQ(stages_refusal("a3,a"), "stage 'a' is none of aB, cTmB, eTmB, mRgGaB, nRgGaB");
  EXPECT_EQ(stages_refusal("a3a4"), "stage 'a3a4' is none of aB, cTmB, eTmB, mRgGaB, nRgGaB");
  EXPECT_EQ(stages_refusal("a1"), "stages a1: a group is 2 processes or more");
  EXPECT_EQ(stages_refusal("c6m1,a6,e6m1"), "stages c6m1,a6,e6m1: a group is 2 processes or more");
  EXPECT_EQ(stages_refusal("c5m2,a4,e5m2"),
            "stages c5m2,a4,e5m2: 5 ranks aren't whole groups of 2");
  EXPECT_EQ(stages_refusal("c6m2,a2,e6m2"),
            "stages c6m2,a2,e6m2: 3 groups collapse into 2 processes");
  EXPECT_EQ(stages_refusal("m1g1a6"), "stages m1g1a6: merging takes two stages or more");
  EXPECT_EQ(stages_refusal("a65536,a65536"), "stages a65536,a65536: too many processes");
  EXPECT_EQ(stages_refusal("c6m2,a2,a2"), "stages c6m2,a2,a2 should read c6m2,a2,a2,e6m2");
  EXPECT_EQ(stages_refusal("c6m2,a2,a2,e4m2"),
            "stages c6m2,a2,a2,e4m2 should read c6m2,a2,a2,e6m2");
  EXPECT_EQ(stages_refusal("m1g3a3,n1g3a2"), "stages m1g3a3,n1g3a2 should read m1g2a3,n1g3a2");
  EXPECT_EQ(stages_refusal("a2,m1g2a3,n1g3a2"),
            "stages a2,m1g2a3,n1g3a2 should read m1g6a2,a3,n1g6a2");
}

TEST(Stages, ThatMakeOtherProcessesCannotRun) {
  const auto runs_at = [](int procs) {
    return runs(recursive_multiplying, {.procs = procs, .params = Params::parse("stages=a4,a5")});
  };
  EXPECT_TRUE(runs_at(20));
  EXPECT_FALSE(runs_at(12));
}

TEST(StageLists, AreAllOfThePapersForEightProcesses) {
  EXPECT_EQ(factored_lists(8), (Texts{"a2,a2,a2", "a2,a4", "a4,a2", "a8"}));
}

TEST(StageLists, AreAllThreeKindsInOrder) {
  EXPECT_EQ(stage_lists(1), Texts{});
  EXPECT_EQ(stage_lists(4),
            (Texts{"a2,a2", "a4", "c2m2,a3,e2m2", "c3m3,a2,e3m3", "c4m2,a2,e4m2", "c4m4,e4m4"}));
  const Texts of_seven = stage_lists(7);
  EXPECT_EQ(of_seven.front(), "a7");
  EXPECT_EQ((Texts{of_seven.end() - 3, of_seven.end()}),
            (Texts{"m1g3a2,n1g2a3", "m1g2a3,n1g3a2", "m3g2a2,n3g2a2"}));
  EXPECT_TRUE(lists(7, "c6m2,a2,a2,e6m2"));
}

TEST(StageLists, HoldTheBestOfThePapersTable2) {
  const std::vector<std::pair<int, std::string>> table{
      {4, "a4"},     {6, "a6"},        {8, "a2,a4"},     {12, "a3,a4"},
      {16, "a4,a4"}, {24, "a4,a6"},    {32, "a8,a4"},    {48, "a8,a6"},
      {64, "a8,a8"}, {96, "a8,a3,a4"}, {128, "a8,a4,a4"}};
  for (const auto& [procs, text] : table) EXPECT_TRUE(lists(procs, text)) << text;
}

TEST(StageLists, HaveAsManyFactoredOnesAsThereAreOrderedFactorisations) {
  // OEIS A074206
  const std::vector<std::size_t> counts{1, 1, 2, 1, 3, 1, 4, 2, 3, 1, 8, 1, 3, 3, 8};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(factored_lists(static_cast<int>(i) + 2).size(), counts[i]);
  }
  EXPECT_EQ(factored_lists(48).size(), 48U);
  EXPECT_EQ(factored_lists(96).size(), 112U);
}

TEST(StageLists, EachMakeTheirProcessesAndComeOnce) {
  for (const int procs : {2, 3, 12, 31, 60, 128, 300}) {
    const Texts all = stage_lists(procs);
    EXPECT_EQ((std::set<std::string>{all.begin(), all.end()}).size(), all.size()) << procs;
    for (const std::string& text : all) EXPECT_EQ(Stages::parse(text).procs(), procs) << text;
  }
}

int rounds(int procs, std::string_view stages) {
  const Problem problem{.procs = procs, .params = Params::parse(fmt::format("stages={}", stages))};
  return price(problem, world_of(recursive_multiplying, problem)).rounds;
}

TEST(StageLists, TakeTheRoundsThatThePaperCounts) {
  EXPECT_EQ(rounds(6, "a3,a2"), 2);
  EXPECT_EQ(rounds(6, "c4m2,a2,a2,e4m2"), 4);
  EXPECT_EQ(rounds(7, "m1g2a3,n1g3a2"), 2);
  EXPECT_EQ(rounds(7, "c6m2,a2,a2,e6m2"), 4);
}

TEST(DefaultStages, AreTheFewestOfUpToEightProcessesForAnyP) {
  EXPECT_EQ(default_stages(1).text(), "");
  EXPECT_EQ(default_stages(7).text(), "a7");
  EXPECT_EQ(default_stages(12).text(), "a4,a3");
  EXPECT_EQ(default_stages(24).text(), "a6,a4");
  EXPECT_EQ(default_stages(128).text(), "a8,a4,a4");
  EXPECT_EQ(default_stages(216).text(), "a6,a6,a6");
  EXPECT_EQ(default_stages(11).text(), "m1g2a5,n1g5a2");
  EXPECT_EQ(default_stages(127).text(), "m1g18a7,a6,n1g42a3");
  for (int procs = 1; procs < 3000; ++procs) EXPECT_EQ(default_stages(procs).procs(), procs);
}

/// The cost of stages in the model, where a message costs 1.
double cost(const Stages& stages, double round_cost) {
  const Formula formula =
      recursive_multiplying.formula({.collective = Collective::allreduce,
                                     .procs = stages.procs(),
                                     .params = Params::parse("stages=" + stages.text())});
  return round_cost * *formula.rounds + *formula.messages;
}

TEST(BestStages, CostTheLeastOfAll) {
  for (const double round_cost : {0., 3.941, 30.}) {
    for (int procs = 2; procs <= 64; ++procs) {
      double least = std::numeric_limits<double>::infinity();
      for (const Stages& each : all_stages(procs)) least = std::min(least, cost(each, round_cost));
      const Stages best = best_stages(procs, round_cost);
      EXPECT_EQ(best.procs(), procs);
      EXPECT_NEAR(cost(best, round_cost), least, 1e-9) << procs << ' ' << best.text();
      EXPECT_EQ(Stages::parse(best.text()), best);
    }
  }
}

TEST(BestStages, AreThoseOfTable2WhereTheModelIsRight) {
  // p, the fastest when measured, how far the model's best is below it
  struct Row {
    int procs;
    std::string_view measured;
    std::string_view best;
    double below;
  };
  const std::vector<Row> table{{4, "a4", "a4", 0},
                               {6, "a6", "a6", 0},
                               {8, "a2,a4", "a8", 0.086},
                               {12, "a3,a4", "a4,a3", 0},
                               {16, "a4,a4", "a4,a4", 0},
                               {24, "a4,a6", "a6,a4", 0},
                               {32, "a8,a4", "a8,a4", 0},
                               {48, "a8,a6", "a4,a4,a3", 0.003},
                               {64, "a8,a8", "a4,a4,a4", 0.051},
                               {96, "a8,a3,a4", "a6,a4,a4", 0.044},
                               {128, "a8,a4,a4", "a8,a4,a4", 0}};
  constexpr double kRho = 1.34 / 0.34;
  for (const auto& [procs, measured, best, below] : table) {
    const Stages found = best_stages(procs, kRho);
    EXPECT_EQ(found.text(), best) << procs;
    EXPECT_NEAR(cost(Stages::parse(measured), kRho) / cost(found, kRho) - 1, below, 0.001) << procs;
  }
}

TEST(BestStages, AreFoundAtAMillionProcesses) {
  EXPECT_EQ(best_stages(1 << 20, 4).text(), "a4,a4,a4,a4,a4,a4,a4,a4,a4,a4");
  const Stages best = best_stages(1'000'003, 4);  // a prime
  EXPECT_EQ(best.procs(), 1'000'003);
  EXPECT_LT(best.rounds(), 11);
  EXPECT_FALSE(recursive_multiplying.variants(1'000'003).empty());
}

}  // namespace
}  // namespace breakeven::kernels::allreduce
