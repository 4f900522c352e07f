// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"
#include "guidelines/comparison.hpp"
#include "guidelines/neighbours.hpp"

namespace breakeven::guidelines {

std::vector<Comparison> by_more_procs(const Problems& problems) {
  std::vector<Comparison> comparisons;
  for (const auto& [fewer, more] : neighbours_in_procs(problems)) {
    if (more->oversubscribed) continue;
    comparisons.push_back(paired(guideline_of(Family::more_procs, fewer->what.collective),
                                 numbered(*fewer), numbered(*more)));
  }
  return comparisons;
}

}  // namespace breakeven::guidelines
