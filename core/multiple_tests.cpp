// SPDX-License-Identifier: BSD-3-Clause
#include "core/multiple_tests.hpp"

#include <algorithm>
#include <numeric>

namespace breakeven {

namespace {

/// The places of the p-values in rising order.
std::vector<std::size_t> rising_order(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t index) { return p_values[index]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<double> adjusted(p_values.size());
  double least = 0;
  auto left = static_cast<double>(p_values.size());
  for (const std::size_t index : rising_order(p_values)) {
    least = std::max(least, std::min(1.0, left-- * p_values[index]));
    adjusted[index] = least;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  std::vector<double> adjusted(p_values.size());
  std::vector<std::size_t> order = rising_order(p_values);
  std::ranges::reverse(order);
  double most = 1;
  const auto count = static_cast<double>(order.size());
  auto rank = count;
  for (const std::size_t index : order) {
    most = std::min(most, p_values[index] * count / rank--);
    adjusted[index] = most;
  }
  return adjusted;
}

}  // namespace breakeven
