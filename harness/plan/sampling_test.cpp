// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "stats/noise.hpp"

namespace breakeven::plan {
namespace {

/// A launch in which each candidate gives its series, one second for each second measured.
struct Launch {
  Sampling sampling;
  std::vector<std::vector<double>> series;
  std::vector<std::vector<Sampling::Block>> rounds{};

  void run() {
    std::vector<std::size_t> taken(series.size());
    for (auto round = sampling.next_round(); !round.empty(); round = sampling.next_round()) {
      rounds.push_back(round);
      for (const Sampling::Block& block : round) {
        std::vector<double> samples;
        double spent = 0;
        for (int i = 0; i < block.repetitions; ++i) {
          samples.push_back(series.at(block.candidate).at(taken[block.candidate]++));
          spent += samples.back();
        }
        sampling.add(block, samples, {spent});
      }
    }
  }
};

Launch run(const protocol::MeasurePlan& plan, std::vector<std::vector<double>> series) {
  Launch launch{.sampling = {plan, series.size(), 42}, .series = std::move(series)};
  launch.run();
  return launch;
}

std::vector<double> noisy(double seconds, double log_sd, std::uint64_t seed) {
  std::vector<double> samples = stats::noisy_factors({.log_sd = log_sd}, 3000, seed);
  for (double& sample : samples) sample *= seconds;
  return samples;
}

TEST(Sampling, EndsOnceTheMedianIsAsSureAsAsked) {
  const Launch quiet = run({.min_time = {}}, {noisy(1e-6, 0.01, 1)});
  const Launch noisier = run({.min_time = {}}, {noisy(1e-6, 0.1, 1)});
  EXPECT_EQ(quiet.sampling.stop(0), Stop::precise);
  EXPECT_EQ(noisier.sampling.stop(0), Stop::precise);
  EXPECT_LT(2 * quiet.sampling.samples(0).size(), noisier.sampling.samples(0).size());
}

TEST(Sampling, SpreadsSamplesOverTheLeastTime) {
  const Launch launch = run({.min_time = {3e-4}}, {noisy(1e-6, 0.01, 1)});
  EXPECT_EQ(launch.sampling.stop(0), Stop::precise);
  EXPECT_GE(launch.sampling.samples(0).size(), 290);
}

TEST(Sampling, EndsAtItsRepetitionsExactly) {
  const Launch launch = run({.repetitions = 77}, {noisy(1e-6, 1.0, 1)});
  EXPECT_EQ(launch.sampling.stop(0), Stop::repetitions);
  EXPECT_EQ(launch.sampling.samples(0).size(), 77);
}

TEST(Sampling, EndsWithItsBudgetButNotBelowTheLeast) {
  const Launch some = run({.case_budget = {0.055}, .batch = 10}, {noisy(1e-3, 1.0, 1)});
  EXPECT_EQ(some.sampling.stop(0), Stop::budget);
  EXPECT_LT(some.sampling.samples(0).size(), 100);
  const Launch least =
      run({.min_repetitions = 13, .case_budget = {1e-9}, .batch = 5}, {noisy(1e-3, 0.2, 1)});
  EXPECT_EQ(least.sampling.samples(0).size(), 13);
}

TEST(Sampling, EndsEarlyWhatIsSlowerByFarUnlessAskedNotTo) {
  const std::vector series{noisy(1e-6, 0.3, 1), noisy(3e-6, 0.3, 2)};
  const Launch race = run({}, series);
  EXPECT_EQ(race.sampling.stop(1), Stop::slower);
  EXPECT_GT(race.sampling.samples(0).size(), 2 * race.sampling.samples(1).size());
  EXPECT_NE(run({.racing = false}, series).sampling.stop(1), Stop::slower);
}

TEST(Sampling, EveryOpenCandidateHasItsTurnInEveryRoundInAnOrderOfItsOwn) {
  const Launch launch = run({.repetitions = 400, .racing = false},
                            {noisy(1e-6, 1.0, 1), noisy(1e-6, 1.0, 2), noisy(1e-6, 1.0, 3)});
  std::map<std::vector<std::size_t>, int> orders;
  for (const auto& round : launch.rounds) {
    std::vector<std::size_t> order;
    for (const Sampling::Block& block : round) order.push_back(block.candidate);
    ++orders[order];
    std::ranges::sort(order);
    EXPECT_EQ(std::ranges::adjacent_find(order), order.end());
  }
  EXPECT_GT(orders.size(), 2);
}

TEST(Sampling, LeavesWarmUpOut) {
  std::vector<double> series = noisy(1e-6, 0.02, 1);
  for (int i = 0; i < 4; ++i) series[static_cast<std::size_t>(i)] *= 20;
  const Launch launch = run({}, {series});
  EXPECT_EQ(launch.sampling.warmup(0), 4);
  EXPECT_EQ(launch.sampling.samples(0).front(), series[4]);
}

TEST(Sampling, GivesUpOnACaseNoneOfWhoseRepetitionsCount) {
  Sampling sampling{{.case_budget = {1.0}}, 1, 42};
  int repetitions = 0;
  for (auto round = sampling.next_round(); !round.empty(); round = sampling.next_round()) {
    repetitions += round.front().repetitions;
    sampling.add(round.front(), {}, {0.01 * round.front().repetitions});
  }
  EXPECT_EQ(sampling.stop(0), Stop::budget);
  EXPECT_TRUE(sampling.samples(0).empty());
  EXPECT_LE(repetitions, 600);
}

}  // namespace
}  // namespace breakeven::plan
