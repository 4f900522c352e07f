// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/variants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "harness/plan/ranking.hpp"
#include "kernels/allreduce/stages.hpp"
#include "kernels/catalogue.hpp"

namespace breakeven::plan {
namespace {

using Texts = std::vector<std::string>;

std::vector<Case> problems_at(Collective collective, int procs) {
  std::vector<Case> problems;
  for (std::int64_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {
    problems.push_back({.collective = collective,
                        .procs = procs,
                        .procs_per_node = procs,
                        .message = {bytes},
                        .datatype = Datatype::double_,
                        .op = reduces(collective) ? Op::sum : Op::none});
  }
  return problems;
}

Texts tried(std::string_view algorithm, int procs) {
  return worth_trying(kernels::find_algorithm(Collective::allreduce, algorithm),
                      problems_at(Collective::allreduce, procs), true);
}

AskedVariants asked(std::string_view algorithm, std::string_view text, int procs) {
  return {kernels::find_algorithm(Collective::allreduce, algorithm),
          {.collective = Collective::allreduce, .procs = procs, .procs_per_node = procs},
          text};
}

Texts all(std::string_view algorithm, std::string_view text, int procs) {
  const AskedVariants variants = asked(algorithm, text, procs);
  return {variants.all().begin(), variants.all().end()};
}

Texts measured(std::string_view algorithm, std::string_view text, int procs) {
  return asked(algorithm, text, procs).measured(problems_at(Collective::allreduce, procs));
}

std::string variant_refusal(std::string_view algorithm, std::string_view text) {
  try {
    static_cast<void>(asked(algorithm, text, 8));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "taken";
}

std::vector<int> sorted_factors(std::string_view stages) {
  std::vector<int> factors = kernels::allreduce::Stages::parse(stages).factors;
  std::ranges::sort(factors);
  return factors;
}

/// The fastest variant there. At p = 96, a8,a3,a4, the models put a4,a4,a6 first.
TEST(WorthTrying, HasThePapersTable2UpToTheOrderOfStages) {
  const std::vector<std::pair<int, std::string>> table{
      {4, "a4"},     {6, "a6"},     {8, "a2,a4"},  {12, "a3,a4"}, {16, "a4,a4"},
      {24, "a4,a6"}, {32, "a8,a4"}, {48, "a8,a6"}, {64, "a8,a8"}, {128, "a8,a4,a4"}};
  for (const auto& [procs, fastest] : table) {
    std::vector<std::vector<int>> found{
        sorted_factors(kernels::allreduce::default_stages(procs).text())};
    for (const std::string& params : tried("recursive_multiplying", procs)) {
      found.push_back(sorted_factors(params.substr(std::string_view{"stages="}.size())));
    }
    EXPECT_NE(std::ranges::find(found, sorted_factors(fastest)), found.end()) << procs;
  }
}

TEST(WorthTrying, IsWhatSomeModelPutsFirst) {
  EXPECT_EQ(tried("recursive_multiplying", 64),
            (Texts{"stages=a2,a2,a2,a2,a2,a2", "stages=a4,a4,a4"}));
  EXPECT_EQ(tried("dissemination", 16), (Texts{"n=1", "n=3"}));
  EXPECT_EQ(tried("ring", 8), Texts{"segments=4"});
  EXPECT_EQ(tried("recursive_multiplying", 2), Texts{});
  EXPECT_EQ(tried("recursive_doubling", 8), Texts{});
}

TEST(WorthTrying, IsNothingWhereSchedulesAreTooLongToSimulate) {
  EXPECT_EQ(tried("ring", 64), Texts{"segments=4"});  // as two of its ranks do
  EXPECT_EQ(tried("ring", 1 << 18), Texts{});
}

TEST(WorthTrying, IsAlsoTriedWithItsRanksReordered) {
  std::vector<Case> problems = problems_at(Collective::allreduce, 8);
  for (Case& each : problems) {
    each.nodes = 2;
    each.procs_per_node = 4;
    each.mapping = Mapping::rr;
  }
  const kernels::Algorithm& ring = kernels::find_algorithm(Collective::allreduce, "ring");
  EXPECT_EQ(worth_trying(ring, problems, true),
            (Texts{"segments=4", "reorder_ranks=seq", "reorder_ranks=seq,segments=4"}));
  EXPECT_EQ(worth_trying(ring, problems, false), Texts{"segments=4"});
}

TEST(AskedVariants, AreTheTextItselfUnlessItNamesMore) {
  EXPECT_EQ(all("recursive_multiplying", "stages=a4,a2", 8), Texts{"stages=a4,a2"});
  EXPECT_EQ(all("recursive_multiplying", "", 8), Texts{""});
  EXPECT_EQ(all("recursive_multiplying", "stages=a4,a2", 12), Texts{});
}

TEST(AskedVariants, AreEveryValueListedOfAParameterOrASetOfThem) {
  const Texts lists = all("recursive_multiplying", "stages=*", 8);
  EXPECT_EQ(lists.size(), kernels::allreduce::stage_lists(8).size());
  EXPECT_EQ(all("recursive_multiplying", "stages=factored", 8),
            (Texts{"stages=a2,a2,a2", "stages=a2,a4", "stages=a4,a2", "stages=a8"}));
  EXPECT_EQ(all("dissemination", "n=*", 8), (Texts{"n=1", "n=3", "n=7", "n=12"}));
  EXPECT_EQ(all("ring", "reorder_ranks=seq,segments=*", 8),
            (Texts{"reorder_ranks=seq,segments=4", "reorder_ranks=seq,segments=16",
                   "reorder_ranks=seq,segments=64"}));
}

TEST(AskedVariants, AreTheBestAsModelsRankThem) {
  EXPECT_EQ(measured("recursive_multiplying", "best=2", 64),
            (Texts{"stages=a2,a2,a2,a2,a2,a2", "stages=a4,a4,a4"}));
  const Texts eight = measured("recursive_multiplying", "best=8", 64);
  EXPECT_EQ(eight.size(), 8U);
  EXPECT_NE(std::ranges::find(eight, ""), eight.end());  // a8,a8
  EXPECT_EQ(measured("recursive_multiplying", "best=2,stages=factored", 8).size(), 2U);
  EXPECT_EQ(asked("recursive_multiplying", "best=2,stages=factored", 8).left_out(), 2U);
  EXPECT_EQ(measured("dissemination", "best=9", 8).size(), 5U);  // there are no more
}

TEST(AskedVariants, BeyondSixtyFourAreLeftOut) {
  const AskedVariants every = asked("recursive_multiplying", "stages=*", 64);
  EXPECT_EQ(every.left_out(), every.all().size() - 64);
  const Texts first = every.measured(problems_at(Collective::allreduce, 64));
  EXPECT_EQ(first.size(), 64U);
  for (const char* fast : {"stages=a8,a8", "stages=a4,a4,a4"}) {
    EXPECT_NE(std::ranges::find(first, fast), first.end()) << fast;
  }
}

TEST(AskedVariants, ThatCanNotBeAreRefusedInOneLine) {
  EXPECT_EQ(variant_refusal("ring", "stages=*"),
            "ring takes no parameter 'stages'; known: segments reorder_ranks");
  EXPECT_EQ(variant_refusal("ring", "best=0"), "best is a whole number from 1 on, not '0'");
  EXPECT_EQ(variant_refusal("ring", "segments=*,reorder_ranks=*"),
            "'ring:segments=*,reorder_ranks=*' asked for; a set of values of one parameter is "
            "possible");
}

TEST(Ranking, PutsOtherOrdersOfTheSameStagesLast) {
  const Texts lists{"stages=a2,a2,a2", "stages=a4,a2", "stages=a2,a4", "stages=a8"};
  const auto ranked =
      rank(kernels::find_algorithm(Collective::allreduce, "recursive_multiplying"), lists,
           problems_at(Collective::allreduce, 8), 4, machines_of_many_kinds());
  ASSERT_EQ(ranked.size(), 4U);
  EXPECT_EQ(ranked.back().params, "stages=a2,a4");
  EXPECT_TRUE(ranked.back().another);
  EXPECT_EQ(ranked.back().times,
            std::ranges::find(ranked, "stages=a4,a2", &RankedVariant::params)->times);
}

}  // namespace
}  // namespace breakeven::plan
