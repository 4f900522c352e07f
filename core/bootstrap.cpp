// SPDX-License-Identifier: BSD-3-Clause
#include "core/bootstrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/statistics.hpp"

namespace breakeven {

namespace {

void check(std::span<const double> above, std::span<const double> below,
           const Bootstrap& bootstrap) {
  const auto positive = [](double value) { return value > 0; };
  if (above.empty() || below.empty()) throw Error("bootstrap of no valid sample");
  if (!std::ranges::all_of(above, positive) || !std::ranges::all_of(below, positive)) {
    throw Error("bootstrap of a ratio: every duration must be above 0");
  }
  const bool possible =
      bootstrap.resamples > 0 && bootstrap.confidence > 0 && bootstrap.confidence < 1;
  if (!possible) {
    throw Error(fmt::format("no bootstrap of {} resamples with confidence {}", bootstrap.resamples,
                            bootstrap.confidence));
  }
}

/// The median of the values at these places, as `median` has it but for the sorting.
double median_at(std::span<const double> values, std::span<const std::size_t> places) {
  std::vector<double> chosen;
  chosen.reserve(places.size());
  for (const std::size_t place : places) chosen.push_back(values[place]);
  const auto middle = chosen.begin() + std::ssize(chosen) / 2;
  std::ranges::nth_element(chosen, middle);
  if (chosen.size() % 2 == 1) return *middle;
  return (*std::max_element(chosen.begin(), middle) + *middle) / 2;
}

std::vector<std::size_t> draw(std::size_t size, std::mt19937_64& generator) {
  std::vector<std::size_t> places(size);
  for (std::size_t& place : places) place = uniform_index(generator, size);
  return places;
}

/// The median without each of the values in turn; of one value, that value.
std::vector<double> medians_without_one(std::span<const double> values) {
  if (values.size() == 1) return {values[0]};
  std::vector<double> sorted{values.begin(), values.end()};
  std::ranges::sort(sorted);
  const std::size_t half = (values.size() - 1) / 2;  // of those that are left
  std::vector<double> medians;
  for (const double left_out : values) {
    const auto gap =
        static_cast<std::size_t>(std::ranges::lower_bound(sorted, left_out) - sorted.begin());
    const auto left = [&](std::size_t rank) { return sorted[rank < gap ? rank : rank + 1]; };
    medians.push_back(values.size() % 2 == 0 ? left(half) : (left(half - 1) + left(half)) / 2);
  }
  return medians;
}

/// Sums over the jackknife's influence values, of which the acceleration is made.
struct Skewness {
  double squares = 0;
  double cubes = 0;

  void add(std::span<const double> without_one) {
    const auto n = static_cast<double>(without_one.size());
    double mean = 0;
    for (const double value : without_one) mean += value / n;
    for (const double value : without_one) {
      const double influence = (n - 1) * (mean - value) / n;
      squares += influence * influence;
      cubes += influence * influence * influence;
    }
  }

  [[nodiscard]] double acceleration() const {
    return squares == 0 ? 0 : cubes / (6 * std::pow(squares, 1.5));
  }
};

Interval interval_of(std::vector<double> ratios, double ratio, const Skewness& skewness,
                     const Bootstrap& bootstrap) {
  std::ranges::sort(ratios);
  const boost::math::normal normal;
  const auto [smaller_end, greater_begin] = std::ranges::equal_range(ratios, ratio);
  // Medians repeat: of those that are equal, half lie below. Never none or all, which is infinite.
  const auto count = static_cast<double>(ratios.size());
  const auto below =
      static_cast<double>((smaller_end - ratios.begin()) + (greater_begin - ratios.begin())) / 2;
  const double bias = boost::math::quantile(normal, (below + 0.5) / (count + 1));
  const double acceleration = skewness.acceleration();
  const auto end = [&](double tail) {
    if (bootstrap.method == BootstrapMethod::percentile) return quantile_of_sorted(ratios, tail);
    const double moved = bias + boost::math::quantile(normal, tail);
    const double fraction = boost::math::cdf(normal, bias + moved / (1 - acceleration * moved));
    return quantile_of_sorted(ratios, fraction);
  };
  const double tail = (1 - bootstrap.confidence) / 2;
  return {.low = end(tail), .high = end(1 - tail), .coverage = bootstrap.confidence};
}

}  // namespace

Interval bootstrap_ratio(std::span<const double> above, std::span<const double> below,
                         const Bootstrap& bootstrap) {
  check(above, below, bootstrap);
  std::mt19937_64 generator{bootstrap.seed};
  std::vector<double> ratios(static_cast<std::size_t>(bootstrap.resamples));
  for (double& ratio : ratios) {
    const double dividend = median_at(above, draw(above.size(), generator));
    ratio = dividend / median_at(below, draw(below.size(), generator));
  }
  const double dividend = median({above.begin(), above.end()});
  const double divisor = median({below.begin(), below.end()});
  std::vector<double> without_above = medians_without_one(above);
  for (double& value : without_above) value /= divisor;
  std::vector<double> without_below = medians_without_one(below);
  for (double& value : without_below) value = dividend / value;
  Skewness skewness;
  skewness.add(without_above);
  skewness.add(without_below);
  return interval_of(std::move(ratios), dividend / divisor, skewness, bootstrap);
}

Interval bootstrap_ratio_of_pairs(std::span<const double> above, std::span<const double> below,
                                  const Bootstrap& bootstrap) {
  check(above, below, bootstrap);
  if (above.size() != below.size()) {
    throw Error(fmt::format("no pairs of {} and {} values", above.size(), below.size()));
  }
  std::mt19937_64 generator{bootstrap.seed};
  std::vector<double> ratios(static_cast<std::size_t>(bootstrap.resamples));
  for (double& ratio : ratios) {
    const std::vector<std::size_t> places = draw(above.size(), generator);
    ratio = median_at(above, places) / median_at(below, places);
  }
  std::vector<double> without_one = medians_without_one(above);
  const std::vector<double> divisors = medians_without_one(below);
  for (std::size_t pair = 0; pair < divisors.size(); ++pair) without_one[pair] /= divisors[pair];
  Skewness skewness;
  skewness.add(without_one);
  const double ratio = median({above.begin(), above.end()}) / median({below.begin(), below.end()});
  return interval_of(std::move(ratios), ratio, skewness, bootstrap);
}

}  // namespace breakeven
