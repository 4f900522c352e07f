// SPDX-License-Identifier: BSD-3-Clause
#include "stats/walk.hpp"

#include <algorithm>
#include <cmath>

namespace breakeven::stats {

namespace {

constexpr double kStepTails = 3;  // degrees of freedom of a step
constexpr double kLeastStepScale = 1e-8;

/// The places of one track at which something was seen.
struct Walk {
  std::vector<std::size_t> at{};
  std::vector<Belief> seen{};
  std::vector<double> distance{};  ///< of each step
  std::vector<double> variance{};  ///< of each step
  std::vector<Belief> smoothed{};
  std::vector<double> square{};  ///< of each step, expected
};

Walk walk_of(std::span<const double> places, const Track& track, double scale) {
  Walk walk;
  for (std::size_t i = 0; i < track.size(); ++i) {
    if (!track[i]) continue;
    if (!walk.at.empty()) {
      walk.distance.push_back(places[i] - places[walk.at.back()]);
      walk.variance.push_back(scale * walk.distance.back());
    }
    walk.at.push_back(i);
    walk.seen.push_back(*track[i]);
  }
  walk.smoothed = walk.seen;
  walk.square.resize(walk.distance.size());
  return walk;
}

Belief combined(const Belief& one, const Belief& other) {
  const double share = one.variance / (one.variance + other.variance);
  return {one.mean + share * (other.mean - one.mean), share * other.variance};
}

void smooth(Walk& walk) {
  if (walk.seen.empty()) return;
  std::vector<Belief> filtered{walk.seen.front()};
  for (std::size_t i = 1; i < walk.seen.size(); ++i) {
    Belief predicted = filtered.back();
    predicted.variance += walk.variance[i - 1];
    filtered.push_back(combined(predicted, walk.seen[i]));
  }
  walk.smoothed.back() = filtered.back();
  for (std::size_t i = walk.seen.size() - 1; i-- > 0;) {
    const Belief& here = filtered[i];
    const Belief& next = walk.smoothed[i + 1];
    const double predicted = here.variance + walk.variance[i];
    const double gain = here.variance / predicted;
    walk.smoothed[i] = {here.mean + gain * (next.mean - here.mean),
                        here.variance + gain * gain * (next.variance - predicted)};
    const double step = next.mean - walk.smoothed[i].mean;
    walk.square[i] = step * step + walk.smoothed[i].variance + next.variance * (1 - 2 * gain);
  }
}

/// Variances of the steps that fit them, and with these the scale of all of them.
double reweigh(std::vector<Walk>& walks, double scale) {
  double sum = 0;
  double steps = 0;
  for (Walk& walk : walks) {
    for (std::size_t i = 0; i < walk.distance.size(); ++i) {
      if (walk.distance[i] == 0) continue;
      const double usual = scale * walk.distance[i];
      walk.variance[i] = (kStepTails * usual + walk.square[i]) / (kStepTails + 1);
      sum += walk.square[i] / walk.distance[i] * usual / walk.variance[i];
      ++steps;
    }
  }
  return steps == 0 ? scale : std::max(kLeastStepScale, sum / steps);
}

}  // namespace

std::vector<Track> smooth(std::span<const double> places, std::span<const Track> tracks) {
  constexpr int kIterations = 10;
  double scale = 0.05 * 0.05;
  std::vector<Walk> walks;
  for (const Track& track : tracks) walks.push_back(walk_of(places, track, scale));
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    for (Walk& walk : walks) smooth(walk);
    if (iteration + 1 < kIterations) scale = reweigh(walks, scale);
  }
  std::vector<Track> smoothed;
  for (const Walk& walk : walks) {
    Track& track = smoothed.emplace_back(places.size());
    for (std::size_t i = 0; i < walk.at.size(); ++i) track[walk.at[i]] = walk.smoothed[i];
  }
  return smoothed;
}

}  // namespace breakeven::stats
