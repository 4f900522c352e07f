// SPDX-License-Identifier: BSD-3-Clause
#include "stats/walk.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "stats/random.hpp"

namespace breakeven::stats {
namespace {

std::vector<double> places(int count) {
  std::vector<double> places;
  for (int i = 0; i < count; ++i) places.push_back(i);
  return places;
}

/// The root of the mean square of what tracks differ from zero by.
double error_of(const std::vector<Track>& tracks) {
  double sum = 0;
  double count = 0;
  for (const Track& track : tracks) {
    for (const auto& each : track) {
      sum += each->mean * each->mean;
      ++count;
    }
  }
  return std::sqrt(sum / count);
}

TEST(Walk, NeighboursTakeAwayMuchOfTheNoise) {
  std::mt19937_64 random{1};
  std::vector<Track> tracks(10, Track(18));
  for (Track& track : tracks) {
    for (auto& each : track) each = {0.05 * standard_normal(random), 0.05 * 0.05};
  }
  EXPECT_LT(error_of(smooth(places(18), tracks)), 0.6 * error_of(tracks));
}

TEST(Walk, AJumpStaysAJump) {
  std::vector<Track> tracks(10, Track(18));
  for (std::size_t i = 0; i < 18; ++i) {
    for (Track& track : tracks) track[i] = {0, 0.02 * 0.02};
    tracks[0][i]->mean = i < 9 ? 0 : 0.5;
  }
  const Track smoothed = smooth(places(18), tracks).front();
  EXPECT_NEAR(smoothed[8]->mean, 0, 0.02);
  EXPECT_NEAR(smoothed[9]->mean, 0.5, 0.02);
}

TEST(Walk, WhatIsKnownExactlyStays) {
  const Track exact{Belief{0.1, 1e-12}, Belief{0.7, 1e-12}, Belief{-0.4, 1e-12}};
  const Track smoothed = smooth(places(3), std::array{exact}).front();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(smoothed[i]->mean, exact[i]->mean, 1e-6);
}

TEST(Walk, WhereNothingWasSeenThereIsNothing) {
  const Track track{Belief{0.1, 0.01}, std::nullopt, Belief{0.1, 0.01}};
  const Track smoothed = smooth(places(3), std::array{track, Track(3)}).front();
  EXPECT_TRUE(smoothed[0]);
  EXPECT_FALSE(smoothed[1]);
  EXPECT_LT(smoothed[0]->variance, 0.01);
}

}  // namespace
}  // namespace breakeven::stats
