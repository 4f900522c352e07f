// SPDX-License-Identifier: BSD-3-Clause
#include "stats/levels.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "stats/random.hpp"

namespace breakeven::stats {
namespace {

CaseTimes times_of(const std::map<std::int64_t, double>& seconds) {
  CaseTimes times;
  for (const auto& [launch, value] : seconds) times.by_launch[launch] = Seconds{value};
  return times;
}

Levels fit_of(const std::vector<CaseTimes>& candidates) {
  std::vector<const CaseTimes*> problem;
  for (const CaseTimes& each : candidates) problem.push_back(&each);
  return fit_levels(std::array{problem}).front();
}

std::vector<Belief> levels_of(const std::vector<CaseTimes>& candidates) {
  return fit_of(candidates).candidates;
}

TEST(Levels, WhatALaunchDoesToAllIsTakenAway) {
  const auto levels =
      levels_of({times_of({{1, 1}, {2, 3}, {3, 1.5}}), times_of({{1, 2}, {2, 6}, {3, 3}})});
  EXPECT_NEAR(levels[1].mean - levels[0].mean, std::log(2), 1e-9);
  EXPECT_LT(levels[1].variance, 1e-11);
}

TEST(Levels, ACandidateThatMissedTheSlowLaunchesIsNoFasterForIt) {
  const auto levels = levels_of({times_of({{1, 1}, {2, 1}, {3, 1}, {4, 5}, {5, 5}}),
                                 times_of({{1, 2}, {2, 2}, {3, 2}, {4, 10}, {5, 10}}),
                                 times_of({{3, 2}, {4, 10}, {5, 10}})});
  EXPECT_NEAR(levels[2].mean, levels[1].mean, 1e-6);
}

TEST(Levels, ThirtyCandidatesOfOneFastLaunchAreNoFasterForIt) {
  // Launch 1 takes half as long as the others, in which a race measures two candidates.
  std::vector<CaseTimes> candidates{
      times_of({{1, 0.5}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}),
      times_of({{1, 0.6}, {2, 1.2}, {3, 1.2}, {4, 1.2}, {5, 1.2}, {6, 1.2}})};
  while (candidates.size() < 32) candidates.push_back(times_of({{1, 0.75}}));
  const Levels levels = fit_of(candidates);
  EXPECT_NEAR(levels.candidates[2].mean - levels.candidates[0].mean, std::log(1.5), 1e-4);
  // As in the median launch.
  EXPECT_NEAR(levels.candidates[0].mean, 0, 1e-4);
  EXPECT_LT(levels.effect.low, -0.3);  // interpolated towards the second of six
  EXPECT_EQ(levels.effect.count, 6);
}

TEST(Levels, ALaunchOfOneCandidateTellsLittleWhereLaunchesDiffer) {
  const auto levels = levels_of({times_of({{1, 1}, {2, 2}, {3, 1}, {4, 0.5}, {5, 2}, {6, 2}}),
                                 times_of({{1, 1.1}, {2, 2.2}, {3, 1.1}, {4, 0.55}})});
  EXPECT_NEAR(levels[1].mean - levels[0].mean, std::log(1.1), 0.01);
}

TEST(Levels, AnIntervalHoldsTheTruthAsOftenAsItSays) {
  constexpr double kTruth = 0.2;
  std::mt19937_64 random{5};
  int covered = 0;
  int trials = 0;
  for (int study = 0; study < 800; ++study) {
    std::vector<CaseTimes> candidates(20);
    for (int launch = 0; launch < 8; ++launch) {
      const double effect = 0.3 * standard_normal(random);
      const std::size_t raced = launch < 3 ? candidates.size() : 3;
      for (std::size_t i = 0; i < raced; ++i) {
        const bool spike = uniform(random) < 0.02;
        const double noise = (spike ? 0.5 : 0.05) * standard_normal(random);
        candidates[i].by_launch[launch] =
            Seconds{std::exp(kTruth * static_cast<double>(i) + effect + noise)};
      }
    }
    const auto levels = levels_of(candidates);
    for (std::size_t i = 1; i < 3; ++i) {
      const Belief difference = levels[i] - levels[0];
      const double error = difference.mean - kTruth * static_cast<double>(i);
      covered += std::abs(error) <= 2.2 * difference.deviation() ? 1 : 0;  // Student, 11 degrees
      ++trials;
    }
  }
  RecordProperty("covered", covered);
  EXPECT_GE(covered, 0.92 * trials);
  EXPECT_LE(covered, 0.98 * trials);
}

TEST(Levels, ASpikeHardlyMovesALevel) {
  const auto levels = levels_of({times_of({{1, 1}, {2, 1.01}, {3, 0.99}, {4, 1}, {5, 1.01}}),
                                 times_of({{1, 1}, {2, 1.01}, {3, 50}, {4, 0.99}, {5, 1}}),
                                 times_of({{1, 1}, {2, 0.99}, {3, 1}, {4, 1.01}, {5, 1}})});
  EXPECT_NEAR(levels[1].mean, levels[0].mean, 0.05);
}

TEST(Levels, CandidatesThatShareNoLaunchAreNotKnownExactly) {
  const auto levels =
      levels_of({times_of({{1, 1}, {2, 3}, {3, 1.5}}), times_of({{4, 1.1}, {5, 2.5}, {6, 1.4}})});
  EXPECT_GT(levels[0].variance, 0.05);
  EXPECT_GT(levels[1].variance, 0.05);
}

TEST(Levels, ALoneCandidateHasItsOwn) {
  const auto levels = levels_of({times_of({{1, 2}, {2, 2}})});
  EXPECT_NEAR(levels[0].mean, std::log(2), 1e-9);
}

}  // namespace
}  // namespace breakeven::stats
