// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/decision.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "tuner/testing.hpp"

namespace breakeven::tuner {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using testing::allreduce;

Decision decide_one(const std::vector<Measurement>& measurements) {
  auto decisions = decide(measurements);
  EXPECT_EQ(decisions.size(), 1U);
  return std::move(decisions.at(0));
}

std::string chosen(const Decision& decision) { return decision.choice().times.what.algorithm; }

TEST(Decision, TheFastestWinsWhenItIsFasterThanEveryOtherInEveryLaunch) {
  const Decision decision =
      decide_one(join({launches(allreduce("native", 4, 8), {8, 9, 10}),
                       launches(allreduce("ring", 4, 8), {4, 4, 5}),
                       launches(allreduce("reduce_bcast", 4, 8), {6, 6, 7})}));
  EXPECT_EQ(chosen(decision), "ring");
  EXPECT_EQ(decision.certainty, Certainty::decided);
  EXPECT_EQ(decision.regret->median, 0);
  EXPECT_EQ(decision.choice().seconds.count, 3);
  EXPECT_EQ(decision.choice().seconds.coverage, 0.75);
  ASSERT_EQ(decision.contest().candidates.size(), 3U);
  EXPECT_EQ(decision.contest().candidates[1].times.what.algorithm, "reduce_bcast");
}

TEST(Decision, NativeStaysWhenTheFastestIsNotSignificantlyFaster) {
  const Decision decision = decide_one(join({launches(allreduce("native", 4, 8), {5, 6, 7}),
                                             launches(allreduce("ring", 4, 8), {4, 5, 7.5})}));
  EXPECT_EQ(chosen(decision), "native");
  EXPECT_EQ(decision.contest().fastest().times.what.algorithm, "ring");
  EXPECT_EQ(decision.certainty, Certainty::undecided);
  EXPECT_NEAR(decision.regret->median, 0.2, 1e-12);
  EXPECT_EQ(decision.speedup->median, 1);
}

TEST(Decision, NativeStaysWhereTheSpeedupIsSignificantButSmall) {
  const auto with = [](double ring) {
    return chosen(
        decide_one(join({launches(allreduce("native", 4, 8), {10, 20, 30}),
                         launches(allreduce("ring", 4, 8), {ring, 2 * ring, 3 * ring})})));
  };
  EXPECT_EQ(with(9.91), "native");  // 0.9 %
  EXPECT_EQ(with(9.89), "ring");    // 1.1 %
}

TEST(Decision, TheChoiceOfTheNextSmallerSizeGoesWhereItIsNotWorthLeavingNative) {
  // ring is not decided and 4 % behind the fastest, but not significantly faster than native.
  const auto decisions = decide(join({launches(allreduce("native", 4, 8), {9, 9, 9}),
                                      launches(allreduce("ring", 4, 8), {4, 4, 4}),
                                      launches(allreduce("native", 4, 16), {5.4, 5.4, 5.4}),
                                      launches(allreduce("ring", 4, 16), {5, 5.2, 7}),
                                      launches(allreduce("reduce_bcast", 4, 16), {5, 5, 5})}));
  ASSERT_EQ(decisions.size(), 2U);
  EXPECT_EQ(chosen(decisions[0]), "ring");
  EXPECT_EQ(chosen(decisions[1]), "reduce_bcast");
}

TEST(Decision, RegretHasAnIntervalThatIsNeverBelowNone) {
  const Decision decision = decide_one(join({launches(allreduce("native", 4, 8), {5, 6, 7}),
                                             launches(allreduce("ring", 4, 8), {4, 5, 7.5})}));
  ASSERT_TRUE(decision.regret);
  EXPECT_EQ(decision.regret->low, 0);  // 7 / 7.5
  EXPECT_NEAR(decision.regret->high, 0.25, 1e-12);
  EXPECT_EQ(decision.regret->count, 3);
}

TEST(Decision, LaunchesThatDifferAsAWholeLeaveItDecided) {
  const Decision decision = decide_one(join({launches(allreduce("native", 4, 8), {8, 16, 9}),
                                             launches(allreduce("ring", 4, 8), {4, 9, 5})}));
  EXPECT_EQ(chosen(decision), "ring");
  EXPECT_EQ(decision.certainty, Certainty::decided);
}

TEST(Decision, CandidatesThatNeverShareALaunchAreNotDecidedBetween) {
  auto native = launches(allreduce("native", 4, 8), {8, 8, 8});
  for (Measurement& measurement : native) measurement.launch += 100;  // another sweep
  const Decision decision =
      decide_one(join({native, launches(allreduce("ring", 4, 8), {4, 4, 4})}));
  EXPECT_EQ(chosen(decision), "native");
  EXPECT_EQ(decision.certainty, Certainty::undecided);
}

TEST(Decision, ATieOfEqualTimesGoesToNative) {
  const Decision decision = decide_one(join(
      {launches(allreduce("a", 4, 8), {5, 5, 5}), launches(allreduce("native", 4, 8), {5, 5, 5})}));
  EXPECT_EQ(chosen(decision), "native");
}

TEST(Decision, WhileUndecidedTheChoiceOfTheNextSmallerSizeStays) {
  const auto decisions = decide(join({launches(allreduce("ring", 4, 8), {4, 4, 4}),
                                      launches(allreduce("reduce_bcast", 4, 8), {6, 6, 6}),
                                      launches(allreduce("ring", 4, 16), {5, 5.2, 7}),
                                      launches(allreduce("reduce_bcast", 4, 16), {5, 5, 5})}));
  ASSERT_EQ(decisions.size(), 2U);
  EXPECT_EQ(chosen(decisions[1]), "ring");
  EXPECT_EQ(decisions[1].certainty, Certainty::undecided);
  EXPECT_NEAR(decisions[1].regret->median, 0.04, 1e-12);
}

TEST(Decision, WhileUndecidedTheChoiceOfTheNextSmallerSizeGoesWhenItsMedianIsMuchSlower) {
  const auto decisions = decide(join({launches(allreduce("ring", 4, 8), {4, 4, 4}),
                                      launches(allreduce("reduce_bcast", 4, 8), {6, 6, 6}),
                                      launches(allreduce("ring", 4, 16), {4, 6, 7}),
                                      launches(allreduce("reduce_bcast", 4, 16), {5, 5, 5})}));
  EXPECT_EQ(chosen(decisions.at(1)), "reduce_bcast");
}

TEST(Decision, ChoicesDoNotSpreadToAnotherProblem) {
  const auto decisions = decide(join({launches(allreduce("ring", 4, 8), {4, 4, 4}),
                                      launches(allreduce("reduce_bcast", 4, 8), {6, 6, 6}),
                                      launches(allreduce("ring", 5, 16), {5, 6, 7}),
                                      launches(allreduce("reduce_bcast", 5, 16), {5, 5, 5})}));
  ASSERT_EQ(decisions.size(), 2U);
  EXPECT_EQ(chosen(decisions[1]), "reduce_bcast");
}

TEST(Decision, OnceDecidedTheChoiceOfTheNextSmallerSizeGoes) {
  const auto decisions = decide(join({launches(allreduce("ring", 4, 8), {4, 4, 4}),
                                      launches(allreduce("reduce_bcast", 4, 8), {6, 6, 6}),
                                      launches(allreduce("bruck", 4, 16), {5, 5, 6}),
                                      launches(allreduce("ring", 4, 16), {8, 8, 8}),
                                      launches(allreduce("reduce_bcast", 4, 16), {4, 5.5, 7})}));
  EXPECT_EQ(chosen(decisions.at(1)), "bruck");
}

TEST(Decision, ACandidateOfTwoLaunchesIsNeitherChosenNorSignificantlyBeaten) {
  const Decision decision = decide_one(join(
      {launches(allreduce("ring", 4, 8), {1, 1}), launches(allreduce("native", 4, 8), {9, 9, 9})}));
  EXPECT_EQ(chosen(decision), "native");
  EXPECT_EQ(decision.certainty, Certainty::undecided);
  EXPECT_EQ(decision.regret->median, 0);
}

TEST(Decision, NativeOfTwoLaunchesIsNotChosenEither) {
  const Decision decision = decide_one(join(
      {launches(allreduce("ring", 4, 8), {1, 1, 1}), launches(allreduce("native", 4, 8), {9, 9})}));
  EXPECT_EQ(chosen(decision), "ring");
  EXPECT_EQ(decision.certainty, Certainty::undecided);
  EXPECT_EQ(decision.speedup->count, 2);
}

TEST(Decision, WithTooFewLaunchesNativeStaysAndTheRowIsWeak) {
  const Decision decision = decide_one(join(
      {launches(allreduce("ring", 4, 8), {1, 1}), launches(allreduce("native", 4, 8), {9, 9})}));
  EXPECT_EQ(chosen(decision), "native");
  EXPECT_EQ(decision.certainty, Certainty::too_few);
  EXPECT_NEAR(decision.regret->median, 8, 1e-12);
}

TEST(Decision, WithTooFewLaunchesAndNoNativeTheFastestIsChosenAtEachSize) {
  const auto decisions = decide(join(
      {launches(allreduce("ring", 4, 8), {1}), launches(allreduce("reduce_bcast", 4, 8), {9}),
       launches(allreduce("ring", 4, 16), {9}), launches(allreduce("reduce_bcast", 4, 16), {1})}));
  EXPECT_EQ(chosen(decisions.at(0)), "ring");
  EXPECT_EQ(chosen(decisions.at(1)), "reduce_bcast");
  EXPECT_EQ(decisions.at(1).certainty, Certainty::too_few);
  EXPECT_FALSE(decisions.at(1).speedup);
}

TEST(Decision, ALoneCandidateIsNotDecided) {
  EXPECT_EQ(decide_one(launches(allreduce("ring", 4, 8), {1, 1, 1})).certainty,
            Certainty::undecided);
}

TEST(Decision, TheSpeedupIsTheMedianOfTheRatiosWithinEachLaunch) {
  // The machine was slow in the second launch; native was always twice the choice.
  const Decision decision = decide_one(join({launches(allreduce("ring", 4, 8), {4, 6, 4.4}),
                                             launches(allreduce("native", 4, 8), {8, 12, 8.8})}));
  ASSERT_TRUE(decision.speedup);
  EXPECT_EQ(chosen(decision), "ring");
  EXPECT_NEAR(decision.speedup->low, 2, 1e-12);
  EXPECT_NEAR(decision.speedup->high, 2, 1e-12);
}

TEST(Decision, ParametersMakeDifferentCandidatesOfOneProblem) {
  Case narrow = allreduce("ring", 4, 8);
  narrow.params = "segment=32";
  Case wide = narrow;
  wide.params = "segment=64";
  const Decision decision =
      decide_one(join({launches(narrow, {4, 4, 4}), launches(wide, {2, 2, 2})}));
  EXPECT_EQ(decision.contest().candidates.size(), 2U);
  EXPECT_EQ(decision.choice().times.what.params, "segment=64");
  EXPECT_EQ(decision.problem.params, "");
}

TEST(Decision, OneOversubscribedLaunchMarksTheProblem) {
  auto measurements = launches(allreduce("ring", 4, 8), {4, 4, 4});
  EXPECT_FALSE(decide_one(measurements).oversubscribed);
  measurements[1].oversubscribed = true;
  EXPECT_TRUE(decide_one(measurements).oversubscribed);
}

/// A gatherv's candidate in three launches.
std::vector<Measurement> gatherv(Counts counts, const std::string& algorithm, std::int64_t bytes,
                                 const std::vector<double>& times) {
  Case what = allreduce(algorithm, 4, bytes);
  what.collective = Collective::gatherv;
  what.op = Op::none;
  what.counts = counts;
  return launches(what, times);
}

/// What candidates took with equal and with linear counts, in three launches alike.
using Times = std::map<std::string, double>;

std::vector<Measurement> gathered(const Times& equal, const Times& linear) {
  std::vector<Measurement> all;
  for (const auto& [counts, times] : {std::pair{Counts::equal, equal}, {Counts::linear, linear}}) {
    for (const auto& [algorithm, time] : times) {
      all = join({std::move(all), gatherv(counts, algorithm, 8, {time, time, time})});
    }
  }
  return all;
}

TEST(DecisionWithCounts, AChoiceThatHoldsForEqualCountsAloneIsNone) {
  const Decision decision =
      decide_one(gathered({{"native", 8}, {"linear", 4}}, {{"native", 8}, {"linear", 9}}));
  EXPECT_EQ(chosen(decision), "native");
  EXPECT_EQ(decision.problem.counts, Counts::equal);
  EXPECT_EQ(decision.contests.size(), 2U);
  // Native gives away most with equal counts.
  EXPECT_EQ(decision.contest().problem.counts, Counts::equal);
  EXPECT_NEAR(decision.regret->median, 1, 1e-12);
  EXPECT_EQ(decision.certainty, Certainty::undecided);
}

TEST(DecisionWithCounts, NorIsOneThatHoldsForOthersAlone) {
  EXPECT_EQ(
      chosen(decide_one(gathered({{"native", 8}, {"linear", 9}}, {{"native", 8}, {"linear", 4}}))),
      "native");
  EXPECT_EQ(chosen(decide_one(
                gathered({{"native", 8}, {"linear", 7.95}}, {{"native", 8}, {"linear", 4}}))),
            "native");  // too small a speedup
}

TEST(DecisionWithCounts, OfThoseThatHoldForAllTheOneWithTheGreatestLeastSpeedupIsChosen) {
  // 4 times and 1.25 times, 2 times and 1.6 times as fast as native.
  const Decision decision =
      decide_one(gathered({{"native", 8}, {"binomial", 2}, {"linear", 4}},
                          {{"native", 80}, {"binomial", 64}, {"linear", 50}}));
  EXPECT_EQ(chosen(decision), "linear");
  EXPECT_NEAR(decision.speedup->median, 1.6, 1e-12);
  EXPECT_EQ(decision.contest().problem.counts, Counts::linear);
  EXPECT_NEAR(decision.regret->median, 1, 1e-12);  // with equal counts
  EXPECT_EQ(decision.certainty, Certainty::undecided);
}

TEST(DecisionWithCounts, TheFastestOfAnyIsPassedOverWhereItIsNoChoice) {
  const Decision decision = decide_one(gathered({{"native", 8}, {"binomial", 1}, {"linear", 4}},
                                                {{"native", 8}, {"binomial", 9}, {"linear", 6}}));
  EXPECT_EQ(chosen(decision), "linear");
  EXPECT_NEAR(decision.speedup->median, 8.0 / 6, 1e-12);
}

TEST(DecisionWithCounts, WhoWasNotMeasuredWithSomeIsNoChoice) {
  const Decision decision = decide_one(gathered({{"native", 8}, {"linear", 4}}, {{"native", 8}}));
  EXPECT_EQ(chosen(decision), "native");
  // Without native there is a choice among those alone who were measured with all.
  EXPECT_EQ(chosen(decide_one(gathered({{"linear", 4}, {"binomial", 5}}, {{"binomial", 5}}))),
            "binomial");
  EXPECT_TRUE(decide(gathered({{"linear", 4}}, {{"binomial", 5}})).empty());
}

TEST(DecisionWithCounts, WhatNativeWasNotComparedWithIsNoChoice) {
  EXPECT_EQ(chosen(decide_one(gathered({{"native", 8}, {"linear", 4}}, {{"linear", 4}}))),
            "native");
}

TEST(DecisionWithCounts, DecidedIsOneThatIsItWithAll) {
  EXPECT_EQ(decide_one(gathered({{"native", 8}, {"linear", 4}}, {{"native", 8}, {"linear", 5}}))
                .certainty,
            Certainty::decided);
  auto measurements = gathered({{"native", 8}, {"linear", 4}}, {{"native", 8}, {"linear", 5}});
  std::erase_if(measurements, [](const Measurement& each) {
    return each.what.counts == Counts::linear && each.repeat == 2;
  });
  EXPECT_EQ(decide_one(measurements).certainty, Certainty::too_few);
}

TEST(DecisionWithCounts, TheChoiceOfTheNextSmallerSizeStaysOnlyWhereItIsAsGoodWithAll) {
  const auto at_larger = [](const std::vector<double>& with_linear_counts) {
    const auto decisions =
        decide(join({gathered({{"linear", 4}, {"binomial", 6}}, {{"linear", 4}, {"binomial", 6}}),
                     gatherv(Counts::equal, "linear", 16, {5, 5.2, 7}),
                     gatherv(Counts::equal, "binomial", 16, {5, 5, 5}),
                     gatherv(Counts::linear, "linear", 16, with_linear_counts),
                     gatherv(Counts::linear, "binomial", 16, {5, 5, 5})}));
    return chosen(decisions.at(1));
  };
  EXPECT_EQ(at_larger({5, 5.2, 7}), "linear");
  EXPECT_EQ(at_larger({5, 5.4, 7}), "binomial");      // 8 % slower
  EXPECT_EQ(at_larger({5.1, 5.1, 5.1}), "binomial");  // significantly slower
}

}  // namespace
}  // namespace breakeven::tuner
