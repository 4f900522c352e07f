// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"
#include "guidelines/comparison.hpp"
#include "guidelines/neighbours.hpp"

namespace breakeven::guidelines {

std::vector<Comparison> by_larger_size(const Problems& problems) {
  std::vector<Comparison> comparisons;
  for (const auto& [smaller, larger] : neighbours_in_size(problems)) {
    comparisons.push_back(
        paired(guideline_of(Family::larger_size, smaller->what.collective), *smaller, *larger));
  }
  return comparisons;
}

}  // namespace breakeven::guidelines
