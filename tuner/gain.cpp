// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/gain.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <ranges>
#include <set>
#include <vector>

#include "libraries/library_algorithm.hpp"
#include "tuner/decision.hpp"
#include "tuner/make_table.hpp"
#include "tuner/weights.hpp"

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

/// @param width  doublings of the size that the contest's stands for, weighed
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
using Rivals = std::vector<const Candidate*>;

Rivals field_of(const Contest& contest, tables::Candidates kind) {
  Rivals field;
  for (const Candidate& each : contest.candidates) {
    const Case& what = each.times.what;
    const bool safe = kind != tables::Candidates::library || libraries::is_safe(what, {});
    if (is_candidate(kind, what) && safe) field.push_back(&each);
  }
  return field;
}

/// Without kLeastLaunches no table can choose it.
void require_launches(Gain& gain, const Candidate& candidate) {
  const int missing = stats::kLeastLaunches - candidate.launches;
  if (missing <= 0) return;
  gain.expected = std::numeric_limits<double>::infinity();
  gain.launches = std::max(gain.launches, missing);
}

/// Raises the gain to that for one kind of table where this is more.
void add_gains(std::map<Case, Gain>& gains, const Rivals& field, double width, double least) {
  const Candidate& fastest = **std::ranges::min_element(
      field, {}, [](const Candidate* each) { return each->log_time.mean; });
  for (const Candidate* each : field) {
    Gain gain;
    if (each != &fastest) gain = gain_of(*each, fastest, width, least);
    gain.reference = each == &fastest || each->native();
    gain.near = each->log_time.mean - fastest.log_time.mean <= kLogNearBest;
    if (gain.near || gain.reference) require_launches(gain, *each);
    Gain& most = gains[each->times.what];
    most = {std::max(most.expected, gain.expected), std::max(most.launches, gain.launches),
            most.reference || gain.reference, most.near || gain.near};
  }
}

/// Adds what a neighbouring size tells about the same candidates.
void add_neighbours(std::map<Case, Gain>& gains, const Contest& contest, Bytes neighbour) {
  for (const Candidate& each : contest.candidates) {
    Case there = each.times.what;
    there.message = neighbour;
    const auto found = gains.find(there);
    const auto here = gains.find(each.times.what);
    if (found == gains.end() || here == gains.end()) continue;
    if (found->second.near) require_launches(here->second, each);
  }
}

/// The contests of one line of sizes.
struct GainLine {
  Contests::const_iterator first;
  Contests::const_iterator last;
  LineSizes sizes{};                 ///< of these and those planned
  std::map<Bytes, double> widths{};  ///< of these sizes, weighed
};

/// Without widths.
std::vector<GainLine> lines_of(const Contests& contests, std::span<const Bytes> planned) {
  std::vector<GainLine> lines;
  for (auto first = contests.begin(); first != contests.end();) {
    std::set<Bytes> of_line;
    if (moves_data(first->first.collective)) of_line.insert(planned.begin(), planned.end());
    auto last = first;
    for (; last != contests.end() && differ_in_size_alone(first->first, last->first); ++last) {
      of_line.insert(last->first.message);
    }
    lines.push_back({first, last, {first->first, {of_line.begin(), of_line.end()}}});
    first = last;
  }
  return lines;
}

std::vector<LineSizes> sizes_of(std::span<const GainLine> lines) {
  std::vector<LineSizes> sizes;
  for (const GainLine& each : lines) sizes.push_back(each.sizes);
  return sizes;
}

std::vector<GainLine> gain_lines(const Contests& contests, std::span<const Bytes> planned,
                                 const ProgramTime& time) {
  std::vector<GainLine> lines = lines_of(contests, planned);
  const std::vector<LineSizes> sizes = sizes_of(lines);
  const std::vector<std::vector<double>> weights = weights_of(sizes, time);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<double> widths = widths_of(sizes[i].sizes);
    for (std::size_t j = 0; j < widths.size(); ++j)
      lines[i].widths[sizes[i].sizes[j]] = widths[j] * weights[i][j];
  }
  return lines;
}

}  // namespace

std::map<Case, Gain> expected_gains(const Contests& contests, double least,
                                    std::span<const Bytes> planned, const ProgramTime& time) {
  std::map<Case, Gain> gains;
  for (const auto& [first, last, sizes, widths] : gain_lines(contests, planned, time)) {
    for (auto size = first; size != last; ++size) {
      for (const auto& [counts, contest] : size->second) {
        for (const auto& kind : tables::kCandidates.entries) {
          const Rivals field = field_of(contest, kind.value);
          if (!field.empty()) add_gains(gains, field, widths.at(size->first.message), least);
        }
      }
    }
    for (auto size = first; size != last; ++size) {
      for (const auto& [counts, contest] : size->second) {
        if (size != first) add_neighbours(gains, contest, std::prev(size)->first.message);
        if (std::next(size) != last) add_neighbours(gains, contest, std::next(size)->first.message);
      }
    }
  }
  return gains;
}

Seconds time_of_gain(const Contests& contests, std::span<const Bytes> planned,
                     const ProgramTime& time) {
  return time_of_doubling(sizes_of(lines_of(contests, planned)), time);
}

}  // namespace breakeven::tuner
