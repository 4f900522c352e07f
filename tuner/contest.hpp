// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/case.hpp"
#include "stats/belief.hpp"
#include "stats/case_times.hpp"
#include "tables/table.hpp"

namespace breakeven::tuner {

/// A candidate's time in the median launch of its problem: these times compare within one problem,
/// whichever launches measured them.
struct AdjustedTime {
  Seconds time{};
  /// Its 95 % interval, over launches; nothing where the problem has one launch.
  std::optional<Seconds> low{};
  std::optional<Seconds> high{};
};

/// One way to solve a problem, as measured: an algorithm with its parameters, or native.
struct Candidate {
  stats::CaseTimes times{};
  /// Launches that measured native too, or, where native was not measured, all.
  int launches = 0;
  /// Natural logarithm of seconds, to compare with those of the same contest: see contests_of.
  stats::Belief log_time{};
  stats::Belief own_log_time{};  ///< the same by the measurements of this size alone
  /// Of native / this, shrunk towards 0 the more, the less certain it is, where the noise is known;
  /// nothing without native.
  std::optional<stats::Belief> log_speedup{};

  [[nodiscard]] bool native() const { return times.what.variant.is<Native>(); }
  [[nodiscard]] bool enough_launches() const { return launches >= stats::kLeastLaunches; }
  /// Whether `what` is of the same variant, at whatever size.
  [[nodiscard]] bool is(const Case& what) const { return times.what.variant == what.variant; }
  [[nodiscard]] double seconds() const;
  /// Paired by launch, with its 95 % interval; nothing without native.
  [[nodiscard]] std::optional<tables::Speedup> speedup() const;
};

/// The candidates of one problem: times of two problems are never compared.
struct Contest {
  Case problem{};                       ///< without algorithm and parameters
  std::vector<Candidate> candidates{};  ///< with enough launches first, of these the fastest first
  stats::Estimate launch_effect{};      ///< of stats::Levels
  /// By several launches of a candidate of its collective; else intervals of speedups are guesses.
  bool noise_known = false;

  [[nodiscard]] const Candidate& fastest() const { return candidates.front(); }
  /// The candidate with the algorithm and parameters of `what`; null when it was not measured.
  [[nodiscard]] const Candidate* find(const Case& what) const;
  [[nodiscard]] const Candidate* native() const;
  /// choice / fastest - 1.
  [[nodiscard]] double regret(const Candidate& choice) const;
  [[nodiscard]] AdjustedTime time_of(const Candidate& candidate) const;
};

/// Whether two problems differ only in message size, apart from counts.
[[nodiscard]] bool differ_in_size_alone(const Case& one, const Case& other);

/// Where a message size lies among others: its binary logarithm, 0 for no data.
[[nodiscard]] double place_of(Bytes message);

/// Doublings of the size that each size stands for: half way to its neighbours, and half of one
/// beyond the least and the greatest.
/// @param sizes  ascending
[[nodiscard]] std::vector<double> widths_of(std::span<const Bytes> sizes);

/// Problems that differ in their size alone become neighbours, the smaller first.
struct SizesTogether {
  bool operator()(const Case& one, const Case& other) const;
};

/// The contest of each problem and kind of counts; the keys have equal counts.
using Contests = std::map<Case, std::map<Counts, Contest>, SizesTogether>;

/// Each candidate's time by the measurements of one machine.
///
/// Launches are paired: a launch's effect on all candidates of a problem is subtracted
/// (stats::fit_levels). The noise of all problems of one collective and mapping has one scale,
/// whatever p and size. Neighbouring sizes tell of each other: how a candidate's time differs from
/// the median candidate's changes little from size to size, but for jumps (stats::smooth); where
/// all candidates have one launch, which tells no noise, times are as measured. Before any
/// measurement log(native / candidate) is normal around 0, as wide as at all sizes together.
///
/// All code that compares times, or chooses by them, takes them from here.
[[nodiscard]] Contests contests_of(std::span<const Measurement> measurements);

}  // namespace breakeven::tuner
