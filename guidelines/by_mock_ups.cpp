// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"
#include "guidelines/comparison.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::guidelines {

std::vector<Comparison> by_mock_ups(const Problems& problems) {
  std::vector<Comparison> comparisons;
  for (const auto& [problem, candidates] : problems.all()) {
    const stats::CaseTimes* const native = problems.native(problem);
    if (native == nullptr) continue;
    for (const stats::CaseTimes& candidate : candidates) {
      const mock_ups::MockUp* const mock_up =
          mock_ups::find(problem.collective, candidate.what.algorithm);
      if (mock_up == nullptr) continue;
      comparisons.push_back(paired(guideline_of(*mock_up), *native, candidate));
    }
  }
  return comparisons;
}

}  // namespace breakeven::guidelines
