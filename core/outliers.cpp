// SPDX-License-Identifier: BSD-3-Clause
#include "core/outliers.hpp"

#include <algorithm>

#include "core/quantile.hpp"

namespace breakeven {

Fences tukey_fences(std::span<const double> values, double reach) {
  std::vector<double> sorted{values.begin(), values.end()};
  std::ranges::sort(sorted);
  const double lower = quantile_of_sorted(sorted, 0.25);
  const double upper = quantile_of_sorted(sorted, 0.75);
  const double beyond = reach * (upper - lower);
  return {.low = lower - beyond, .high = upper + beyond};
}

std::vector<std::size_t> outliers(std::span<const double> values, Fences fences) {
  std::vector<std::size_t> found;
  for (std::size_t index = 0; index < values.size(); ++index) {
    if (values[index] < fences.low || values[index] > fences.high) found.push_back(index);
  }
  return found;
}

}  // namespace breakeven
