// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/names.hpp"

namespace breakeven::stats {

/// Rules for ending a measurement. Each is a dimensionless value that falls with more samples; the
/// measurement may end once it reaches the threshold.
enum class StopRule : std::uint8_t {
  median_interval,  ///< width of the median's 95 % interval, autocorrelation counted, to the median
  rse,              ///< relative standard error: deviation / (sqrt(n) mean)
  cov_mean,         ///< deviation / mean of the last running means, one after every sample
  cov_median,       ///< the same of the running medians
};
inline constexpr Names<StopRule, 4> kStopRules{"stop rule",
                                               {{{StopRule::median_interval, "median_interval"},
                                                 {StopRule::rse, "rse"},
                                                 {StopRule::cov_mean, "cov_mean"},
                                                 {StopRule::cov_median, "cov_median"}}}};
constexpr const auto& names(StopRule) { return kStopRules; }

struct StopTarget {
  StopRule rule = StopRule::median_interval;
  double threshold = 0.025;
  int window = 10;  ///< how many running means or medians are looked at, 2 or more
  friend bool operator==(const StopTarget&, const StopTarget&) = default;
};

/// Whether the samples reach the target.
///
/// Samples are in seconds; the width of an interval is at least a nanosecond, the clock's step.
/// Never with few samples: median_interval requires kLeastSeries (20) and an interval with the full
/// 95 %, rse 10, cov_mean and cov_median twice the window. Never if the mean or median is not above
/// 0. Call this after batches, because a test after every sample stops too early by chance.
/// @throws Error when the window of cov_mean or cov_median is below 2.
/// @see [hunold2016] (NREP: rse, cov_mean, cov_median)
[[nodiscard]] bool precise_enough(std::span<const double> samples_in_time_order,
                                  const StopTarget& target);

}  // namespace breakeven::stats
