// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace breakeven {

/// The sample quantile of `values` in rising order at `fraction` in [0, 1]: the value at the rank
/// 1 + (n - 1) fraction, between two ranks on the line that joins them.
/// @throws Error when `sorted` is empty or `fraction` is outside.
/// @see Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996, definition 7
[[nodiscard]] double quantile_of_sorted(std::span<const double> sorted, double fraction);

/// The same of values in any order.
[[nodiscard]] double quantile(std::vector<double> values, double fraction);

/// Where a true value is, and with what probability.
struct Interval {
  double low = 0;
  double high = 0;
  double coverage = 0;
};

/// The greatest rank k, counted from 1, whose order statistic of `count` independent values is
/// above the true quantile with a probability of at most `tail`; 0 when none is.
///
/// That probability is P(B < k), B binomial(count, fraction).
[[nodiscard]] std::size_t rank_below_quantile(std::size_t count, double fraction, double tail);

/// Order statistics that leave out the true quantile on either side with a probability of at most
/// (1 - confidence) / 2, whatever the distribution. Where the values are too few for one side, its
/// end is the least or the greatest value, and the coverage says what that costs.
///
/// [x(l), x(u)] covers with probability P(l <= B < u), B binomial(n, fraction); more where values
/// are tied.
/// @throws Error when `values` is empty, or `fraction` or `confidence` outside of (0, 1).
/// @see David and Nagaraja, Order Statistics, 3rd edition, section 7.1
[[nodiscard]] Interval quantile_interval(std::vector<double> values, double fraction,
                                         double confidence = 0.95);

}  // namespace breakeven
