// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"
#include "guidelines/comparison.hpp"
#include "guidelines/neighbours.hpp"

namespace breakeven::guidelines {

std::vector<Comparison> by_parts(const Problems& problems) {
  std::vector<Comparison> comparisons;
  for (const auto& [smaller, larger] : neighbours_in_size(problems)) {
    const std::int64_t part = smaller->what.message.value;
    if (part == 0) continue;
    const std::int64_t parts = (larger->what.message.value + part - 1) / part;
    comparisons.push_back(paired(guideline_of(Family::parts, smaller->what.collective), *larger,
                                 *smaller, static_cast<int>(parts)));
  }
  return comparisons;
}

}  // namespace breakeven::guidelines
