// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/evaluate.hpp"

#include <gtest/gtest.h>

#include <iterator>

#include "core/error.hpp"
#include "guidelines/candidates.hpp"
#include "guidelines/testing.hpp"

namespace breakeven::guidelines {
namespace {

using breakeven::testing::join;
using breakeven::testing::launches;
using testing::on_four;

Outcome test_one(const std::string& guideline, const std::vector<Measurement>& measurements,
                 const std::string& implementation = "native") {
  const Evaluation evaluation = evaluate(
      measurements, {.implementation = implementation, .guidelines = {&find_guideline(guideline)}});
  EXPECT_EQ(evaluation.outcomes.size(), 1U);
  return evaluation.outcomes.at(0);
}

/// A guideline and the total time of its right side, when each part takes 10 us.
struct Sides {
  std::string guideline;
  Collective left;
  std::vector<Collective> right;
};
const std::vector<Sides> kSides{
    {"2", Collective::reduce_scatter_block, {Collective::allreduce}},
    {"3", Collective::reduce_scatter_block, {Collective::reduce, Collective::scatter}},
    {"4", Collective::allreduce, {Collective::reduce_scatter_block, Collective::allgather}},
    {"5", Collective::reduce, {Collective::allreduce}}};

/// Guidelines with each part of the right side at 10 us in each launch, the left as given.
class EveryGuideline : public ::testing::TestWithParam<Sides> {
 protected:
  /// @param left  of each launch, in units of the right side
  [[nodiscard]] static Outcome outcome(const std::vector<double>& left) {
    std::vector<double> microseconds;
    for (const double each : left) {
      microseconds.push_back(each * 10 * static_cast<double>(GetParam().right.size()));
    }
    auto measurements = launches(on_four(GetParam().left, 64), microseconds);
    for (const Collective term : GetParam().right) {
      measurements = join({measurements, launches(on_four(term, 64), {10, 10, 10, 10})});
    }
    return test_one(GetParam().guideline, measurements);
  }
  [[nodiscard]] static GuidelineVerdict verdict(const std::vector<double>& left) {
    const Outcome result = outcome(left);
    EXPECT_EQ(result.findings.size(), 1U);
    return result.findings.at(0).verdict;
  }
};

TEST_P(EveryGuideline, IsViolatedWhenEveryLaunchLiesAboveTheTolerance) {
  EXPECT_EQ(verdict({1.06, 1.2, 1.3}), GuidelineVerdict::violated);
}

TEST_P(EveryGuideline, HoldsWhenNoLaunchLiesAboveTheTolerance) {
  EXPECT_EQ(verdict({0.5, 1.04, 1.0}), GuidelineVerdict::holds);
}

TEST_P(EveryGuideline, IsUndecidedWhenTheLaunchesDisagree) {
  EXPECT_EQ(verdict({1.04, 1.5, 1.5}), GuidelineVerdict::undecided);
  EXPECT_EQ(verdict({0.9, 0.9, 1.06}), GuidelineVerdict::undecided);
}

TEST_P(EveryGuideline, HasTooFewLaunchesBelowThree) {
  EXPECT_EQ(verdict({2, 2}), GuidelineVerdict::too_few);
}

TEST_P(EveryGuideline, CanNotBeTestedWithoutOneOfItsTerms) {
  const auto measurements = launches(on_four(GetParam().left, 64), {10, 10, 10});
  const Outcome result = test_one(GetParam().guideline, measurements);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.gaps.size(), 1U);
  EXPECT_EQ(result.gaps[0].group.layout.procs, 4);
}

TEST_P(EveryGuideline, ComparesWholeVectorsAndSumsTheRightSide) {
  const Outcome result = outcome({0.5, 0.5, 0.5});
  ASSERT_EQ(result.findings.size(), 1U);
  const GuidelineResult& finding = result.findings[0];
  EXPECT_EQ(finding.cell.total, Bytes{64});
  for (const Case& term : finding.terms) EXPECT_EQ(total_bytes(term), Bytes{64});
  EXPECT_NEAR(finding.right.value, 10e-6 * static_cast<double>(GetParam().right.size()), 1e-15);
  EXPECT_NEAR(finding.left.value, finding.right.value / 2, 1e-15);
  EXPECT_NEAR(finding.ratio.median, 0.5, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Guidelines, EveryGuideline, ::testing::ValuesIn(kSides),
                         [](const auto& instance) { return "number_" + instance.param.guideline; });

TEST(Evaluate, LaunchesArePaired) {
  // The machine was ten times slower in the second launch: medians over launches would not see
  // that the left side always takes twice as long.
  const auto measurements = join({launches(on_four(Collective::reduce, 64), {20, 200, 20}),
                                  launches(on_four(Collective::allreduce, 64), {10, 100, 10})});
  const Outcome result = test_one("5", measurements);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].verdict, GuidelineVerdict::violated);
  EXPECT_NEAR(result.findings[0].ratio.high, 2, 1e-12);
}

TEST(Evaluate, OnlyLaunchesWithAllTermsCount) {
  auto reduced = launches(on_four(Collective::reduce, 64), {20, 40, 60, 90});
  reduced.erase(reduced.begin());
  auto everywhere = launches(on_four(Collective::allreduce, 64), {10, 10, 10});
  const Outcome result = test_one("5", join({reduced, everywhere}));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].ratio.count, 2);
  EXPECT_EQ(result.findings[0].verdict, GuidelineVerdict::too_few);
  EXPECT_NEAR(result.findings[0].left.value, 50e-6, 1e-15);
}

TEST(Evaluate, ThreeProcessesMatchBlocksOf8BytesWithVectorsOf24) {
  const auto at = [](Collective collective, std::int64_t message) {
    Case what = on_four(collective, 64);
    what.procs = what.procs_per_node = 3;
    what.message = {message};
    return launches(what, {10, 10, 10});
  };
  const auto blocks = join({at(Collective::reduce_scatter_block, 8), at(Collective::allreduce, 8),
                            at(Collective::allreduce, 16)});
  const Outcome unmatched = test_one("2", blocks);
  EXPECT_TRUE(unmatched.findings.empty());
  ASSERT_EQ(unmatched.gaps.size(), 1U);
  EXPECT_EQ(unmatched.gaps[0].text, "sweep allreduce at 24 B");
  const Outcome matched = test_one("2", join({blocks, at(Collective::allreduce, 24)}));
  ASSERT_EQ(matched.findings.size(), 1U);
  EXPECT_EQ(matched.findings[0].cell.total, Bytes{24});
  EXPECT_TRUE(matched.gaps.empty());
}

TEST(Evaluate, AGapNamesTheBlocksThatReachTheTotals) {
  const auto measurements = join({launches(on_four(Collective::allreduce, 64), {10, 10, 10}),
                                  launches(on_four(Collective::reduce_scatter_block, 64), {10}),
                                  launches(on_four(Collective::reduce_scatter_block, 128), {10})});
  const Outcome result = test_one("4", measurements);
  ASSERT_EQ(result.gaps.size(), 1U);
  EXPECT_EQ(result.gaps[0].text, "sweep allreduce at 128 B; allgather at 16 B, 32 B");
}

TEST(Evaluate, LayoutsDatatypesOpsAndRootsAreNotMixed) {
  const Case left = on_four(Collective::reduce, 64);
  const auto gap_with = [&](auto change) {
    Case right = on_four(Collective::allreduce, 64);
    change(right);
    return test_one("5", join({launches(left, {9, 9, 9}), launches(right, {9, 9, 9})}))
        .findings.empty();
  };
  EXPECT_FALSE(gap_with([](Case&) {}));
  EXPECT_TRUE(gap_with([](Case& what) { what.mapping = Mapping::rr; }));
  EXPECT_TRUE(gap_with([](Case& what) { what.nodes = 2; }));
  EXPECT_TRUE(gap_with([](Case& what) { what.datatype = Datatype::float_; }));
  EXPECT_TRUE(gap_with([](Case& what) { what.op = Op::max; }));
}

TEST(Evaluate, EachRootOfTheRightSideIsACellOfItsOwnAndBothPartsHaveIt) {
  Case reduced = on_four(Collective::reduce, 64);
  Case scattered = on_four(Collective::scatter, 64);
  auto measurements = join({launches(on_four(Collective::reduce_scatter_block, 64), {9, 9, 9}),
                            launches(reduced, {5, 5, 5}), launches(scattered, {5, 5, 5})});
  reduced.root = Rank{2};
  measurements = join({measurements, launches(reduced, {5, 5, 5})});
  EXPECT_EQ(test_one("3", measurements).findings.size(), 1U);
  scattered.root = Rank{2};
  measurements = join({measurements, launches(scattered, {5, 5, 5})});
  const Outcome result = test_one("3", measurements);
  ASSERT_EQ(result.findings.size(), 2U);
  EXPECT_EQ(result.findings[1].cell.root, Rank{2});
}

TEST(Evaluate, CollectivesAreComparedWithEqualCountsAlone) {
  Case gathered = on_four(Collective::gatherv, 64);
  gathered.counts = Counts::linear;
  const auto measurements = launches(gathered, {9, 9, 9});
  EXPECT_TRUE(FastestCases(measurements, kBest).cells(Collective::gatherv).empty());
  gathered.counts = Counts::equal;
  EXPECT_FALSE(
      FastestCases(launches(gathered, {9, 9, 9}), kBest).cells(Collective::gatherv).empty());
}

TEST(Evaluate, BestTakesTheFastestCandidateOfEachTermAndNativeOnlyTheDefault) {
  const auto measurements =
      join({launches(on_four(Collective::reduce, 64), {20, 20, 20}),
            launches(on_four(Collective::reduce, 64, "binomial"), {8, 8, 8}),
            launches(on_four(Collective::allreduce, 64), {10, 10, 10}),
            launches(on_four(Collective::allreduce, 64, "ring"), {30, 30, 30})});
  EXPECT_EQ(test_one("5", measurements).findings.at(0).verdict, GuidelineVerdict::violated);
  const GuidelineResult best = test_one("5", measurements, "best").findings.at(0);
  EXPECT_EQ(best.verdict, GuidelineVerdict::holds);
  EXPECT_EQ(best.terms.at(0).algorithm, "binomial");
  EXPECT_EQ(best.terms.at(1).algorithm, "native");
}

TEST(Evaluate, BestPrefersCandidatesWithEnoughLaunches) {
  const auto measurements = join({launches(on_four(Collective::reduce, 64), {9, 9, 9}),
                                  launches(on_four(Collective::reduce, 64, "binomial"), {1}),
                                  launches(on_four(Collective::allreduce, 64), {10, 10, 10})});
  EXPECT_EQ(test_one("5", measurements, "best").findings.at(0).terms.at(0).algorithm, "native");
}

TEST(Evaluate, AnAlgorithmIsTestedAgainstItself) {
  const auto measurements =
      join({launches(on_four(Collective::reduce_scatter_block, 64, "circulant"), {9, 9, 9}),
            launches(on_four(Collective::allreduce, 64, "circulant"), {10, 10, 10}),
            launches(on_four(Collective::allreduce, 64), {1, 1, 1})});
  const GuidelineResult finding = test_one("2", measurements, "circulant").findings.at(0);
  EXPECT_EQ(finding.verdict, GuidelineVerdict::holds);
  EXPECT_EQ(finding.terms.at(1).algorithm, "circulant");
}

TEST(Evaluate, AnAlgorithmThatATermWasNotMeasuredWithIsRefused) {
  const auto measurements =
      join({launches(on_four(Collective::reduce_scatter_block, 64, "circulant"), {9, 9, 9}),
            launches(on_four(Collective::allreduce, 64), {1, 1, 1}),
            launches(on_four(Collective::allreduce, 64, "ring"), {1, 1, 1})});
  try {
    (void)test_one("2", measurements, "circulant");
    FAIL() << "not refused";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "guideline 2 needs allreduce/circulant, which was not measured; measured are: "
                 "native ring");
  }
}

TEST(Evaluate, OversubscribedTermsMarkTheFinding) {
  auto measurements = join({launches(on_four(Collective::reduce, 64), {9, 9, 9}),
                            launches(on_four(Collective::allreduce, 64), {9, 9, 9})});
  EXPECT_FALSE(test_one("5", measurements).findings.at(0).oversubscribed);
  measurements.back().oversubscribed = true;
  EXPECT_TRUE(test_one("5", measurements).findings.at(0).oversubscribed);
}

TEST(Evaluate, NothingMeasuredIsRefused) { EXPECT_THROW((void)evaluate({}), UsageError); }

TEST(ExitStatus, IsOneAfterAViolationTwoWhenAGuidelineWasNotTestedElseZero) {
  const auto both = [](double reduce_time, int launch_count) {
    const auto times = [&](double each) {
      return std::vector<double>(static_cast<std::size_t>(launch_count), each);
    };
    return join({launches(on_four(Collective::reduce, 64), times(reduce_time)),
                 launches(on_four(Collective::allreduce, 64), times(10))});
  };
  const EvaluateOptions only_5{.guidelines = {&find_guideline("5")}};
  EXPECT_EQ(exit_status(evaluate(both(9, 3), only_5)), 0);
  EXPECT_EQ(exit_status(evaluate(both(20, 3), only_5)), 1);
  EXPECT_EQ(exit_status(evaluate(both(20, 2), only_5)), 2);
  EXPECT_EQ(exit_status(evaluate(both(9, 3))), 2);   // 2, 3 and 4 lack their terms
  EXPECT_EQ(exit_status(evaluate(both(20, 3))), 1);  // a violation is the graver news
  EXPECT_EQ(exit_status({}), 2);
}

TEST(Catalogue, GuidelinesAreFoundByNumberAndByNameAndOthersAreRefused) {
  EXPECT_EQ(&find_guideline("5"), &reduce_as_allreduce);
  EXPECT_EQ(&find_guideline("reduce_as_allreduce"), &reduce_as_allreduce);
  EXPECT_THROW((void)find_guideline("1"), UsageError);
}

TEST(Catalogue, TheFourGuidelinesSayWhatThePaperSays) {
  EXPECT_EQ(to_text(find_guideline("2")), "reduce_scatter_block(m) <= allreduce(m)");
  EXPECT_EQ(to_text(find_guideline("3")), "reduce_scatter_block(m) <= reduce(m) + scatter(m)");
  EXPECT_EQ(to_text(find_guideline("4")), "allreduce(m) <= reduce_scatter_block(m) + allgather(m)");
  EXPECT_EQ(to_text(find_guideline("5")), "reduce(m) <= allreduce(m)");
}

}  // namespace
}  // namespace breakeven::guidelines
