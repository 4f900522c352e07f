// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/evaluate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <random>
#include <set>

#include "core/error.hpp"
#include "guidelines/catalogue.hpp"
#include "guidelines/testing.hpp"
#include "stats/random.hpp"

namespace breakeven::guidelines {
namespace {

using testing::on_node;

constexpr std::string_view kReduceBcast = "native:reduce+bcast";

/// Times without noise: every launch alike.
std::vector<Measurement> exactly(const std::map<Case, double>& seconds, int launches = 20) {
  std::vector<Measurement> measurements;
  for (int launch = 0; launch < launches; ++launch) {
    for (const auto& [what, time] : seconds) {
      measurements.push_back(
          {.what = what, .launch = launch, .repeat = launch, .samples = 1, .median = {time}});
    }
  }
  return measurements;
}

Case allreduce(std::string_view algorithm = kNative, std::int64_t bytes = 1024, int procs = 4) {
  return on_node(Collective::allreduce, std::string{algorithm}, bytes, procs);
}

std::vector<const Finding*> of(const Evaluation& evaluation, const std::string& guideline) {
  std::vector<const Finding*> found;
  for (const Finding& each : evaluation.findings) {
    if (each.comparison.guideline->name == guideline) found.push_back(&each);
  }
  return found;
}

Verdict only_verdict(const Evaluation& evaluation, const std::string& guideline) {
  const auto found = of(evaluation, guideline);
  EXPECT_EQ(found.size(), 1U) << guideline;
  return found.empty() ? Verdict::undecided : found.front()->verdict;
}

TEST(Guidelines, HaveNamesThatWordsFind) {
  std::set<std::string> names;
  for (const Guideline& each : catalogue()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_FALSE(each.formula.empty() || each.reason.empty() || each.source.empty()) << each.name;
    EXPECT_EQ(find_guidelines(each.name), std::vector{&each});
  }
  std::size_t of_families = 0;
  for (const auto& family : kFamilies.entries) of_families += find_guidelines(family.name).size();
  EXPECT_EQ(of_families, catalogue().size());
  EXPECT_THROW(static_cast<void>(find_guidelines("7")), UsageError);
  EXPECT_EQ(find_guidelines("allreduce_as_reduce+bcast").front()->formula,
            "allreduce(m) <= reduce(m) + bcast(m)");
}

TEST(Evaluate, ComparesNativeWithMockUpsOfItsProblem) {
  const std::string name = "allreduce_as_reduce+bcast";
  EXPECT_EQ(only_verdict(evaluate(exactly({{allreduce(), 2}, {allreduce(kReduceBcast), 1}})), name),
            Verdict::violated);
  EXPECT_EQ(only_verdict(evaluate(exactly({{allreduce(), 1}, {allreduce(kReduceBcast), 1}})), name),
            Verdict::holds);
  const std::map<Case, double> apart{{allreduce(), 2}, {allreduce(kReduceBcast, 2048), 1}};
  EXPECT_TRUE(of(evaluate(exactly(apart)), name).empty());
}

TEST(Evaluate, AccusesOnlyAboveTheToleranceAndAfterEnoughLaunches) {
  const std::map<Case, double> slow{{allreduce(), 1.2}, {allreduce(kReduceBcast), 1}};
  const std::string name = "allreduce_as_reduce+bcast";
  EXPECT_EQ(only_verdict(evaluate(exactly(slow)), name), Verdict::violated);
  EXPECT_EQ(only_verdict(evaluate(exactly(slow), {.tolerance = 0.25}), name), Verdict::holds);
  EXPECT_EQ(only_verdict(evaluate(exactly(slow, 3)), name), Verdict::violated);
  const Evaluation early = evaluate(exactly(slow, 2));
  EXPECT_EQ(only_verdict(early, name), Verdict::undecided);
  EXPECT_EQ(cases_with(early, Verdict::undecided),
            (std::set{allreduce(), allreduce(kReduceBcast)}));
}

TEST(Evaluate, HoldsADefaultAgainstTheLibrarysOwnAlgorithms) {
  const std::map<Case, double> times{{allreduce(), 2}, {allreduce("openmpi:ring"), 1}};
  const Evaluation evaluation = evaluate(exactly(times));
  EXPECT_EQ(only_verdict(evaluation, "allreduce_own_algorithms"), Verdict::violated);
  EXPECT_EQ(to_text(evaluation.findings.front().best), "openmpi:ring");
  EXPECT_EQ(exit_status(evaluation), 1);
}

TEST(Evaluate, NamesTheFastestWhicheverLaunchesMeasuredIt) {
  // Three launches take half as long as the others; the slower algorithm was measured in these.
  const std::map<Case, double> times{{allreduce(), 2}, {allreduce("openmpi:ring"), 1}};
  auto measurements = exactly({{allreduce("openmpi:linear"), 1.2}}, 3);
  std::ranges::copy(exactly(times, 7), std::back_inserter(measurements));
  for (Measurement& each : measurements) {
    if (each.launch < 3) each.median.value *= 0.5;
  }
  for (const Finding& each : evaluate(measurements).findings) {
    EXPECT_EQ(to_text(each.best), "openmpi:ring");
  }
}

TEST(Evaluate, HoldsASizeAgainstLargerOnesAndAgainstItsParts) {
  const auto times = [](double small, double large) {
    return exactly({{allreduce(kNative, 8), small}, {allreduce(kNative, 24), large}});
  };
  EXPECT_EQ(only_verdict(evaluate(times(2, 1)), "allreduce_monotony_in_size"), Verdict::violated);
  EXPECT_EQ(only_verdict(evaluate(times(1, 2)), "allreduce_monotony_in_size"), Verdict::holds);
  EXPECT_EQ(only_verdict(evaluate(times(1, 2.9)), "allreduce_split_robustness"), Verdict::holds);
  EXPECT_EQ(only_verdict(evaluate(times(1, 3.5)), "allreduce_split_robustness"), Verdict::violated);
}

TEST(Evaluate, HoldsANumberOfProcessesAgainstTheNextThoughNoLaunchHasBoth) {
  std::vector<Measurement> times = exactly({{allreduce(kNative, 8, 3), 2}});
  for (Measurement each : exactly({{allreduce(kNative, 8, 4), 1}})) {
    each.launch += 1000;
    times.push_back(each);
  }
  EXPECT_EQ(only_verdict(evaluate(times), "allreduce_monotony_in_procs"), Verdict::violated);
  for (Measurement& each : times) each.oversubscribed = each.what.procs == 4;
  EXPECT_TRUE(of(evaluate(times), "allreduce_monotony_in_procs").empty());
}

/// The launches of each number of processes differ by 5 %, for all comparisons
/// alike, which vary little.
TEST(Evaluate, TakesALaunchEffectThatAllComparisonsShareForOne) {
  constexpr int kMachines = 200;
  const std::vector<const Guideline*> asked = find_guidelines("monotony_in_procs");
  std::mt19937_64 generator{1};
  int accused = 0;
  for (int machine = 0; machine < kMachines; ++machine) {
    std::vector<Measurement> measurements;
    bool ever = false;
    for (int launch = 0; launch < 6; ++launch) {
      for (const int procs : {3, 4}) {
        const double effect = 0.05 * stats::standard_normal(generator);
        for (const auto& collective : kCollectives.entries) {
          for (std::int64_t bytes = 8; bytes <= 65536; bytes *= 4) {
            const double own = 0.002 * stats::standard_normal(generator);
            measurements.push_back(
                {.what = on_node(collective.value, std::string{kNative}, bytes, procs),
                 .launch = 100 * procs + launch,
                 .repeat = launch,
                 .samples = 1,
                 .median = {std::exp(effect + own)}});
          }
        }
      }
      if (launch < 2) continue;
      const EvaluateOptions options{.tolerance = 0, .guidelines = asked};
      ever |= count(evaluate(measurements, options), Verdict::violated) > 0;
    }
    accused += ever ? 1 : 0;
  }
  EXPECT_LE(accused, kMachines / 100);  // all comparisons are as one: Holm leaves it a 119th
}

TEST(Evaluate, CountsWhatIsNewOrWorseThanTheBaseline) {
  const auto times = [](double native) {
    return exactly({{allreduce(), native}, {allreduce(kReduceBcast), 1}});
  };
  const std::vector<const Guideline*> asked = find_guidelines("mock_ups");
  const auto since = [&](double before, double now) {
    const std::vector<Measurement> baseline = times(before);
    return evaluate(times(now), {.guidelines = asked, .baseline = {.measurements = baseline}});
  };
  EXPECT_EQ(exit_status(since(1, 2)), 1);
  EXPECT_EQ(since(1, 2).findings.front().since, Since::newly);
  EXPECT_EQ(since(2, 2).findings.front().since, Since::baseline);
  EXPECT_NE(exit_status(since(2, 2)), 1);
  EXPECT_EQ(since(2, 3).findings.front().since, Since::worse);
  EXPECT_EQ(exit_status(since(2, 3)), 1);
  EXPECT_EQ(since(2, 1).gone.size(), 1U);
}

TEST(Evaluate, KnowsAViolationWhicheverAlgorithmShowsIt) {
  const std::vector<Measurement> before =
      exactly({{allreduce(), 2}, {allreduce("openmpi:ring"), 1}, {allreduce("openmpi:linear"), 2}});
  const std::vector<Measurement> now =
      exactly({{allreduce(), 2}, {allreduce("openmpi:ring"), 1}, {allreduce("openmpi:linear"), 1}});
  const Evaluation evaluation = evaluate(now, {.baseline = {.measurements = before}});
  EXPECT_EQ(count(evaluation, Verdict::violated), 2);
  EXPECT_NE(exit_status(evaluation), 1);
}

/// A grave violation at p = 8, a guideline that holds at p = 4.
std::vector<Measurement> with_turns_at(const std::set<int>& procs) {
  std::vector<Measurement> times = exactly({{allreduce(), 1},
                                            {allreduce(kReduceBcast), 2},
                                            {allreduce(kNative, 1024, 8), 9},
                                            {allreduce(kReduceBcast, 1024, 8), 1}});
  for (Measurement& each : times) each.oversubscribed = procs.contains(each.what.procs);
  return times;
}

TEST(Evaluate, JudgesMoreProcessesThanCoresApart) {
  const std::vector<const Guideline*> asked = find_guidelines("mock_ups");
  EXPECT_EQ(exit_status(evaluate(with_turns_at({}), {.guidelines = asked})), 1);
  const Evaluation mixed = evaluate(with_turns_at({8}), {.guidelines = asked});
  EXPECT_EQ(exit_status(mixed), 0);
  EXPECT_EQ(count(mixed, Verdict::violated), 0);
  EXPECT_TRUE(cases_with(mixed, Verdict::violated).empty());
  ASSERT_EQ(mixed.findings.size(), 2U);
  EXPECT_TRUE(mixed.findings.back().aside);
  ASSERT_FALSE(mixed.remarks.empty());
  EXPECT_EQ(mixed.findings.back().verdict, Verdict::violated);
  EXPECT_NE(mixed.remarks.back().find("1 comparisons with more processes than cores"),
            std::string::npos);
}

TEST(Evaluate, JudgesMoreProcessesThanCoresWhereAllAre) {
  const Evaluation all = evaluate(with_turns_at({4, 8}));
  EXPECT_EQ(exit_status(all), 1);
  EXPECT_NE(all.remarks.back().find("about such jobs alone"), std::string::npos);
}

/// Comparisons that are judged apart make no test of the others stricter.
TEST(Evaluate, CorrectsForThoseThatAreJudgedTogether) {
  std::vector<Measurement> times = exactly({{allreduce(), 1.2}, {allreduce(kReduceBcast), 1}}, 3);
  for (int i = 0; i < 1000; ++i) {
    for (Measurement each :
         exactly({{allreduce(kNative, 2048 + i, 8), 1}, {allreduce(kReduceBcast, 2048 + i, 8), 1}},
                 3)) {
      each.oversubscribed = true;
      times.push_back(each);
    }
  }
  const std::vector<const Guideline*> asked = find_guidelines("allreduce_as_reduce+bcast");
  const double apart = evaluate(times, {.guidelines = asked}).findings.front().p_value;
  times.resize(6);
  EXPECT_EQ(apart, evaluate(times, {.guidelines = asked}).findings.front().p_value);
}

TEST(Evaluate, FailsWithWhatIsUndecidedWhereThatIsAsked) {
  const auto times = exactly({{allreduce(), 1.2}, {allreduce(kReduceBcast), 1}}, 2);
  EXPECT_EQ(exit_status(evaluate(times)), 2);
  Evaluation strict = evaluate(times, {.fail_on_undecided = true});
  EXPECT_EQ(exit_status(strict), 1);
  for (Finding& each : strict.findings) each.waived = "slow links";
  EXPECT_EQ(exit_status(strict), 2);
}

TEST(Evaluate, RefusesWhatHasNoNative) {
  EXPECT_THROW(static_cast<void>(evaluate({})), UsageError);
  EXPECT_THROW(static_cast<void>(evaluate(exactly({{allreduce("ring"), 1}}))), UsageError);
}

}  // namespace
}  // namespace breakeven::guidelines
