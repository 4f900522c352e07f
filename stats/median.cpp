// SPDX-License-Identifier: BSD-3-Clause
#include "stats/median.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace breakeven::stats {

namespace {

double median_of_sorted(std::span<const double> sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/// From an order statistic towards the next one inwards. A ratio to no time at all is infinite, and
/// nothing lies between.
double between(double outer, double inner, double inwards) {
  const bool finite = std::isfinite(outer) && std::isfinite(inner);
  return finite ? std::lerp(outer, inner, inwards) : outer;
}

/// The greatest rank k, counted from 1, whose order statistic of `count` independent values is
/// above the true median with a probability of at most `tail`; 0 when none is. That probability is
/// P(B < k), B binomial(count, 1/2).
std::size_t rank_below_median(std::size_t count, double tail) {
  namespace policies = boost::math::policies;
  using Downwards = policies::policy<policies::discrete_quantile<policies::integer_round_down>>;
  const boost::math::binomial_distribution<double, Downwards> binomial{static_cast<double>(count),
                                                                       0.5};
  // A tail that is just such a probability must not be missed by the last digit.
  const auto reached = [&](double successes) {
    return boost::math::cdf(binomial, successes) <= tail * (1 + 1e-12);
  };
  double most = boost::math::quantile(binomial, tail);
  if (most < static_cast<double>(count) && reached(most + 1)) ++most;
  return reached(most) ? static_cast<std::size_t>(most) + 1 : 0;
}

constexpr const char* kNoSample = "median of no valid sample";

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) throw Error(kNoSample);
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

Estimate estimate_median(std::span<const double> values, double confidence) {
  if (values.empty()) throw Error(kNoSample);
  std::vector<double> sorted{values.begin(), values.end()};
  std::ranges::sort(sorted);
  const std::size_t n = sorted.size();
  const std::size_t covering = rank_below_median(n, (1 - confidence) / 2);
  const std::size_t k = std::max<std::size_t>(1, covering);
  const boost::math::binomial binomial{static_cast<double>(n), 0.5};
  const auto coverage_of = [&](std::size_t rank) {
    return std::max(0.0, 1 - 2 * boost::math::cdf(binomial, static_cast<double>(rank) - 1));
  };
  Estimate estimate{.median = median_of_sorted(sorted),
                    .low = sorted[k - 1],
                    .high = sorted[n - k],
                    .coverage = coverage_of(k),
                    .count = static_cast<int>(n)};
  const bool narrower_exists = covering > 0 && 2 * k < n;
  if (!narrower_exists || estimate.coverage <= confidence) return estimate;

  const double excess = (estimate.coverage - confidence) / (estimate.coverage - coverage_of(k + 1));
  const auto rank = static_cast<double>(k);
  const auto count = static_cast<double>(n);
  const double inwards = (count - rank) * excess / (rank + (count - 2 * rank) * excess);
  estimate.low = between(estimate.low, sorted[k], inwards);
  estimate.high = between(estimate.high, sorted[n - k - 1], inwards);
  estimate.coverage = confidence;
  return estimate;
}

}  // namespace breakeven::stats
