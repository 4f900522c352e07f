// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/gain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <ranges>
#include <set>
#include <vector>

#include "libraries/library_algorithm.hpp"
#include "tuner/decision.hpp"
#include "tuner/table_key.hpp"

namespace breakeven::tuner {

namespace {

constexpr int kMostLaunches = 1000;  // nobody waits for more

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
  const auto now = static_cast<double>(candidate.times.by_launch.size());
  const auto after = [&](int more) {
    return width *
           expected_loss({.mean = behind.mean, .variance = behind.variance * now / (now + more)});
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
  const Candidate& fastest = **std::ranges::min_element(
      field, {}, [](const Candidate* each) { return each->log_time.mean; });
  for (const Candidate* each : field) {
    Gain gain;
    if (each != &fastest) gain = gain_of(*each, fastest, width, least);
    gain.reference = each == &fastest || each->native();
    const bool near = each->log_time.mean - fastest.log_time.mean <= kLogNearBest;
    const int missing = stats::kLeastLaunches - each->launches;
    if (missing > 0 && (near || gain.reference)) {
      gain.expected = std::numeric_limits<double>::infinity();
      gain.launches = std::max(gain.launches, missing);
    }
    Gain& most = gains[each->times.what];
    most = {std::max(most.expected, gain.expected), std::max(most.launches, gain.launches),
            most.reference || gain.reference};
  }
}

/// The sizes of a line, and those planned, each with the doublings that it stands for.
std::map<Bytes, double> doublings_of(const std::set<Bytes>& sizes) {
  const std::vector<Bytes> ascending(sizes.begin(), sizes.end());
  const std::vector<double> widths = widths_of(ascending);
  std::map<Bytes, double> of_size;
  for (std::size_t i = 0; i < widths.size(); ++i) of_size[ascending[i]] = widths[i];
  return of_size;
}

}  // namespace

std::map<Case, Gain> expected_gains(const Contests& contests, double least,
                                    std::span<const Bytes> planned) {
  std::map<Case, Gain> gains;
  for (auto first = contests.begin(); first != contests.end();) {
    std::set<Bytes> sizes;
    if (moves_data(first->first.collective)) sizes.insert(planned.begin(), planned.end());
    auto last = first;
    for (; last != contests.end() && differ_in_size_alone(first->first, last->first); ++last) {
      sizes.insert(last->first.message);
    }
    const std::map<Bytes, double> widths = doublings_of(sizes);
    for (; first != last; ++first) {
      for (const auto& [counts, contest] : first->second) {
        for (const auto& kind : kCandidates.entries) {
          const Field field = field_of(contest, kind.value);
          if (!field.empty()) add_gains(gains, field, widths.at(first->first.message), least);
        }
      }
    }
  }
  return gains;
}

}  // namespace breakeven::tuner
