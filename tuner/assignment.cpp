// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/assignment.hpp"

#include <algorithm>
#include <ranges>

namespace breakeven::tuner {

std::vector<std::size_t> cheapest_assignment(std::span<const SizeCosts> sizes, double price,
                                             std::size_t by_default) {
  const std::size_t candidates = sizes.front().costs.size();
  std::vector<double> sums(candidates, by_default < candidates ? price : 0);
  if (by_default < candidates) sums[by_default] = 0;
  // At each size, for each candidate there, the candidate of the size before.
  std::vector<std::vector<std::size_t>> before;
  for (const SizeCosts& size : sizes) {
    const auto best = static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin());
    const double changed = sums[best] + price;
    std::vector<std::size_t>& from = before.emplace_back(candidates);
    for (std::size_t i = 0; i < candidates; ++i) {
      const bool stays = before.size() == 1 || sums[i] <= changed;
      from[i] = stays ? i : best;
      sums[i] = (stays ? sums[i] : changed) + size.weight * size.costs[i];
    }
  }
  std::vector<std::size_t> chosen;
  auto last = static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin());
  for (const std::vector<std::size_t>& from : before | std::views::reverse) {
    chosen.push_back(last);
    last = from[last];
  }
  std::ranges::reverse(chosen);
  return chosen;
}

}  // namespace breakeven::tuner
