// SPDX-License-Identifier: BSD-3-Clause
#include "stats/multiple_tests.hpp"

#include <algorithm>
#include <numeric>

namespace breakeven::stats {

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<double> adjusted(p_values.size());
  std::vector<std::size_t> rising(p_values.size());
  std::iota(rising.begin(), rising.end(), std::size_t{0});
  std::ranges::sort(rising, {}, [&](std::size_t index) { return p_values[index]; });
  double least = 0;
  auto left = static_cast<double>(p_values.size());
  for (const std::size_t index : rising) {
    least = std::max(least, std::min(1.0, left-- * p_values[index]));
    adjusted[index] = least;
  }
  return adjusted;
}

double at_look(int look, double p_value) { return std::min(1.0, p_value * look * (look + 1)); }

}  // namespace breakeven::stats
