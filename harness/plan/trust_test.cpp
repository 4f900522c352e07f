// SPDX-License-Identifier: BSD-3-Clause
// Whole studies on model machines, whose truth is known: do the intervals hold what they promise,
// and does racing find the winner for less?
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/plan/model_machine.hpp"
#include "harness/plan/race.hpp"
#include "harness/plan/shuffle.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "stats/autocorrelation.hpp"

namespace breakeven::plan {
namespace {

constexpr std::string_view kPostal = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10";

/// An allreduce among 8, by an algorithm.
Case allreduce(std::string_view algorithm, std::int64_t bytes) {
  return {.collective = Collective::allreduce,
          .algorithm = std::string{algorithm},
          .procs = 8,
          .procs_per_node = 8,
          .message = {bytes},
          .datatype = Datatype::double_,
          .op = Op::sum};
}

ModelMachine machine(const std::string& noise, int seed) {
  return ModelMachine{parse_model(std::string{kPostal} + noise + ",seed=" + std::to_string(seed))};
}

/// What the launches of one problem came to.
struct Study {
  std::map<Case, stats::CaseTimes> times;
  std::int64_t repetitions = 0;

  [[nodiscard]] Case fastest() const {
    return std::ranges::min_element(
               times, {}, [](const auto& entry) { return stats::estimate(entry.second).median; })
        ->first;
  }
};

/// One launch after another of what the race leaves.
Study study(ModelMachine& machine, std::vector<Case> candidates, const protocol::MeasurePlan& plan,
            int launches) {
  Study study;
  Race race;
  const Case problem = without_algorithm(candidates.front());
  for (int repeat = 0; repeat < launches && !candidates.empty(); ++repeat) {
    const protocol::MeasureRequest request{
        .seed = static_cast<std::uint64_t>(repeat), .measure = plan, .cases = candidates};
    for (const protocol::CaseDone& done : machine.measure(request, repeat)) {
      const Case& what = candidates[static_cast<std::size_t>(done.id)];
      std::vector<double> samples;
      for (const Seconds sample : done.result.local) samples.push_back(sample.value);
      const Seconds median{stats::estimate_median_of_series(samples).median};
      study.times[what].what = what;
      study.times[what].by_launch[repeat] = median;
      study.repetitions += static_cast<std::int64_t>(samples.size()) + done.result.warmups;
      race.add({.what = what, .launch = repeat, .repeat = repeat, .median = median});
    }
    if (!plan.racing) continue;
    std::set<Case> pruned;
    for (const Pruned& each : race.judge(problem)) pruned.insert(each.what);
    std::erase_if(candidates, [&](const Case& what) { return pruned.contains(what); });
  }
  return study;
}

class Intervals : public ::testing::TestWithParam<std::string> {};

TEST_P(Intervals, CoverTheTruthAsOftenAsTheySay) {
  constexpr int kTrials = 1000;
  constexpr int kLaunches = 8;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    ModelMachine noisy = machine(GetParam(), trial);
    const Case what = allreduce("ring", 1024);
    const stats::Estimate found =
        stats::estimate(study(noisy, {what}, {.repetitions = 200}, kLaunches).times.at(what));
    const double truth = noisy.exact_time(what).value;
    covered += found.low <= truth && truth <= found.high ? 1 : 0;
  }
  RecordProperty("covered", covered);
  EXPECT_GE(covered, 930);
  EXPECT_LE(covered, 970);
}

INSTANTIATE_TEST_SUITE_P(
    Noises, Intervals,
    ::testing::Values(",noise=0.1", ",noise=0.1,launch_noise=0.05",
                      ",noise=0.05,spike_rate=0.05,spike_factor=10", ",noise=0.05,drift=0.1",
                      ",noise=0.1,autocorrelation=0.8",
                      ",noise=0.1,spike_rate=0.02,spike_factor=5,drift=0.05,autocorrelation=0.5,"
                      "launch_noise=0.02"));

/// How often a plan finds the fastest, and for how many repetitions.
struct Score {
  int right = 0;
  std::int64_t repetitions = 0;
};

Score score(const protocol::MeasurePlan& plan, int trials) {
  constexpr int kLaunches = 10;
  Score score;
  for (int trial = 0; trial < trials; ++trial) {
    ModelMachine noisy =
        machine(",noise=0.1,spike_rate=0.01,spike_factor=10,launch_noise=0.02", trial);
    const std::int64_t bytes = std::int64_t{8} << (trial % 18);
    std::vector<Case> candidates;
    for (const kernels::Algorithm* algorithm : kernels::catalogue(Collective::allreduce)) {
      const Case what = allreduce(algorithm->name, bytes);
      if (kernels::runs(*algorithm, kernels::problem_of(what))) candidates.push_back(what);
    }
    const auto exact = [&](const Case& what) { return noisy.exact_time(what).value; };
    const double best = exact(*std::ranges::min_element(candidates, {}, exact));
    const Study found = study(noisy, candidates, plan, kLaunches);
    score.right += exact(found.fastest()) <= best * (1 + 1e-9) ? 1 : 0;
    score.repetitions += found.repetitions;
  }
  return score;
}

TEST(Racing, FindsTheWinnerAsOftenAsTheExhaustivePlanForAThirdOfItsRepetitions) {
  constexpr int kTrials = 180;
  const Score exhaustive =
      score({.target_ci = {.threshold = 1e-12}, .repetitions = 500, .racing = false}, kTrials);
  const Score racing = score({.repetitions = 500}, kTrials);
  RecordProperty("exhaustive_right", exhaustive.right);
  RecordProperty("racing_right", racing.right);
  RecordProperty("repetitions_ratio", std::to_string(static_cast<double>(racing.repetitions) /
                                                     static_cast<double>(exhaustive.repetitions)));
  EXPECT_GE(racing.right, exhaustive.right);
  EXPECT_LE(3 * racing.repetitions, exhaustive.repetitions);
}

}  // namespace
}  // namespace breakeven::plan
