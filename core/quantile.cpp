// SPDX-License-Identifier: BSD-3-Clause
#include "core/quantile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "core/error.hpp"

namespace breakeven {

namespace {

using boost::math::policies::discrete_quantile;
using boost::math::policies::integer_round_down;
using Binomial = boost::math::binomial_distribution<
    double, boost::math::policies::policy<discrete_quantile<integer_round_down>>>;

}  // namespace

double quantile_of_sorted(std::span<const double> sorted, double fraction) {
  if (sorted.empty()) throw Error("quantile of no valid sample");
  const bool possible = fraction >= 0 && fraction <= 1;  // and not NaN
  if (!possible) throw Error(fmt::format("no quantile {}", fraction));
  const double place = static_cast<double>(sorted.size() - 1) * fraction;
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below);
  // Not lerp(x, infinity, 0), which is infinite.
  return rest == 0 ? sorted[below] : std::lerp(sorted[below], sorted[below + 1], rest);
}

double quantile(std::vector<double> values, double fraction) {
  std::ranges::sort(values);
  return quantile_of_sorted(values, fraction);
}

std::size_t rank_below_quantile(std::size_t count, double fraction, double tail) {
  const Binomial binomial{static_cast<double>(count), fraction};
  // A tail that is just such a probability must not be missed by the last digit.
  const auto reached = [&](double successes) {
    return boost::math::cdf(binomial, successes) <= tail * (1 + 1e-12);
  };
  double most = boost::math::quantile(binomial, tail);
  if (most < static_cast<double>(count) && reached(most + 1)) ++most;
  return reached(most) ? static_cast<std::size_t>(most) + 1 : 0;
}

Interval quantile_interval(std::vector<double> values, double fraction, double confidence) {
  if (values.empty()) throw Error("quantile of no valid sample");
  const bool possible = fraction > 0 && fraction < 1 && confidence > 0 && confidence < 1;
  if (!possible) {
    throw Error(
        fmt::format("no interval of the quantile {} with confidence {}", fraction, confidence));
  }
  std::ranges::sort(values);
  const std::size_t n = values.size();
  const double tail = (1 - confidence) / 2;
  const std::size_t low = std::max<std::size_t>(1, rank_below_quantile(n, fraction, tail));
  // Seen from above, the order statistics are those of the quantile 1 - fraction.
  const std::size_t from_above = rank_below_quantile(n, 1 - fraction, tail);
  const std::size_t high = n + 1 - std::max<std::size_t>(1, from_above);
  const Binomial binomial{static_cast<double>(n), fraction};
  const double coverage = boost::math::cdf(binomial, static_cast<double>(high) - 1) -
                          boost::math::cdf(binomial, static_cast<double>(low) - 1);
  return {.low = values[low - 1], .high = values[high - 1], .coverage = coverage};
}

}  // namespace breakeven
