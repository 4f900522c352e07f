// SPDX-License-Identifier: BSD-3-Clause
#include "core/effect_size.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/statistics.hpp"

namespace breakeven {

namespace {

template <typename Compare>
double median_over_pairs(std::span<const double> first, std::span<const double> second,
                         Compare compare) {
  std::vector<double> compared;
  compared.reserve(first.size() * second.size());
  for (const double one : first) {
    for (const double other : second) compared.push_back(compare(one, other));
  }
  return median(std::move(compared));
}

}  // namespace

double probability_of_superiority(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) throw Error("effect size of no valid sample");
  std::vector<double> sorted{second.begin(), second.end()};
  std::ranges::sort(sorted);
  double won_twice = 0;
  for (const double value : first) {
    const auto [smaller_end, greater_begin] = std::ranges::equal_range(sorted, value);
    won_twice +=
        static_cast<double>((smaller_end - sorted.begin()) + (greater_begin - sorted.begin()));
  }
  return won_twice / 2 / static_cast<double>(first.size()) / static_cast<double>(second.size());
}

double cliffs_delta(std::span<const double> first, std::span<const double> second) {
  return 2 * probability_of_superiority(first, second) - 1;
}

double hodges_lehmann_shift(std::span<const double> first, std::span<const double> second) {
  return median_over_pairs(first, second, std::minus<>{});
}

double hodges_lehmann_ratio(std::span<const double> first, std::span<const double> second) {
  return median_over_pairs(first, second, std::divides<>{});
}

}  // namespace breakeven
