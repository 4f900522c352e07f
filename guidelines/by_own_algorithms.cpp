// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"
#include "guidelines/comparison.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::guidelines {

std::vector<Comparison> by_own_algorithms(const Problems& problems) {
  std::vector<Comparison> comparisons;
  for (const auto& [problem, candidates] : problems.all()) {
    const stats::CaseTimes* const native = problems.native(problem);
    if (native == nullptr) continue;
    for (const stats::CaseTimes& candidate : candidates) {
      if (!libraries::library_name(candidate.what.algorithm)) continue;
      comparisons.push_back(
          paired(guideline_of(Family::own_algorithm, problem.collective), *native, candidate));
    }
  }
  return comparisons;
}

}  // namespace breakeven::guidelines
