// SPDX-License-Identifier: BSD-3-Clause
#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/error.hpp"

namespace breakeven {

namespace {

double median_of_sorted(std::span<const double> sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::vector<double> sorted_or_error(std::vector<double> values) {
  if (values.empty()) throw Error("median of no valid sample");
  std::ranges::sort(values);
  return values;
}

}  // namespace

double median(std::vector<double> values) {
  return median_of_sorted(sorted_or_error(std::move(values)));
}

Estimate estimate_median(std::span<const double> values, double confidence) {
  const std::vector<double> sorted = sorted_or_error({values.begin(), values.end()});
  const auto n = static_cast<double>(sorted.size());
  // Walk k = 1, 2, ... inwards while the interval [x(k), x(n+1-k)] still covers enough.
  double log_term =
      -n * std::numbers::ln2;         // log P(B = k - 1); the term itself underflows for large n
  double below = std::exp(log_term);  // P(B < k), B binomial(n, 1/2)
  std::size_t k = 1;
  while (2 * k < sorted.size()) {
    const auto successes = static_cast<double>(k);
    log_term += std::log((n - successes + 1) / successes);
    const double wider = below + std::exp(log_term);
    if (1 - 2 * wider < confidence) break;
    below = wider;
    ++k;
  }
  return {.median = median_of_sorted(sorted),
          .low = sorted[k - 1],
          .high = sorted[sorted.size() - k],
          .coverage = std::max(0.0, 1 - 2 * below),
          .count = static_cast<int>(sorted.size())};
}

}  // namespace breakeven
