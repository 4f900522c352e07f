// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace breakeven::stats {

/// The middle value; the mean of the two middle ones for an even number.
/// @throws Error when `values` is empty: no valid sample is never 0 s.
[[nodiscard]] double median(std::vector<double> values);

/// A median and its confidence interval.
struct Estimate {
  double median = 0;
  double low = 0;  ///< an order statistic of the values or between two of them, as is `high`
  double high = 0;
  double coverage = 0;  ///< probability that [low, high] covers the true median; less than asked
                        ///< when the values are too few
  int count = 0;        ///< the values that it rests on
};

/// The interval of the median that covers with the probability `confidence`, or the whole range
/// with its true, lower coverage: that of five values is 93.75 %.
///
/// [x(k), x(n+1-k)] covers with probability 1 - 2 P(B < k), B binomial(n, 1/2), whatever the
/// distribution. Between the narrowest such pair that covers enough and the next one inwards the
/// ends are interpolated; that is exact to about one percent for every continuous distribution.
/// The values are taken for independent of each other.
/// @throws Error when `values` is empty.
/// @see [hettmansperger1986]; [leboudec2010], theorem 2.1
[[nodiscard]] Estimate estimate_median(std::span<const double> values, double confidence = 0.95);

}  // namespace breakeven::stats
