// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/gain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <ranges>
#include <vector>

#include "libraries/library_algorithm.hpp"
#include "tuner/table_key.hpp"

namespace breakeven::tuner {

namespace {

constexpr int kMostLaunches = 1000;  // nobody waits for more

int launches_of(const Candidate& candidate) {
  return static_cast<int>(candidate.times.by_launch.size());
}

/// The expectation of max(0, -difference).
double expected_loss(const stats::Belief& difference) {
  const double deviation = difference.deviation();
  if (deviation == 0) return std::max(0.0, -difference.mean);
  const double z = difference.mean / deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = std::erfc(z / std::numbers::sqrt2) / 2;
  return deviation * (density - z * below);
}

/// @param width  doublings of the size that the contest's stands for
Gain gain_of(const Candidate& candidate, const Candidate& fastest, double width, double least) {
  const stats::Belief behind = candidate.log_time - fastest.log_time;
  const double now = launches_of(candidate);
  const auto after = [&](int more) {
    return width * expected_loss({behind.mean, behind.variance * now / (now + more)});
  };
  const auto launches = std::views::iota(0, kMostLaunches);
  const auto enough =
      std::ranges::partition_point(launches, [&](int more) { return after(more) >= least; });
  return {after(0), static_cast<int>(enough - launches.begin())};
}

/// Those of a contest that a kind of table may choose.
using Field = std::vector<const Candidate*>;

Field field_of(const Contest& contest, Candidates kind) {
  Field field;
  for (const Candidate& each : contest.candidates) {
    const Case& what = each.times.what;
    const bool safe = kind != Candidates::library || libraries::is_safe(what, {});
    if (is_candidate(kind, what) && safe) field.push_back(&each);
  }
  return field;
}

/// Takes in what is gained for one kind of table where that is more.
void add_gains(std::map<Case, Gain>& gains, const Field& field, double width, double least) {
  const auto add = [&](const Candidate& candidate, const Gain& gain) {
    Gain& most = gains[candidate.times.what];
    most = {std::max(most.expected, gain.expected), std::max(most.launches, gain.launches),
            most.reference || gain.reference};
  };
  const Candidate& fastest = **std::ranges::min_element(
      field, {}, [](const Candidate* each) { return each->log_time.mean; });
  Gain most;
  for (const Candidate* each : field) {
    if (each == &fastest) continue;
    const Gain gain = gain_of(*each, fastest, width, least);
    add(*each, gain);
    most = {std::max(most.expected, gain.expected), std::max(most.launches, gain.launches)};
  }
  for (const Candidate* each : field) {
    if (each != &fastest && !each->native()) continue;
    const int missing = stats::kLeastLaunches - launches_of(*each);
    const double expected = missing > 0 ? std::numeric_limits<double>::infinity() : most.expected;
    add(*each, {expected, std::max(missing, most.launches), true});
  }
}

}  // namespace

std::map<Case, Gain> expected_gains(const Contests& contests, double least) {
  std::map<Case, Gain> gains;
  for (auto first = contests.begin(); first != contests.end();) {
    std::vector<Bytes> sizes;
    auto last = first;
    for (; last != contests.end() && differ_in_size_alone(first->first, last->first); ++last) {
      sizes.push_back(last->first.message);
    }
    const std::vector<double> widths = widths_of(sizes);
    for (auto width = widths.begin(); first != last; ++first, ++width) {
      for (const auto& [counts, contest] : first->second) {
        for (const auto& kind : kCandidates.entries) {
          const Field field = field_of(contest, kind.value);
          if (!field.empty()) add_gains(gains, field, *width, least);
        }
      }
    }
  }
  return gains;
}

}  // namespace breakeven::tuner
