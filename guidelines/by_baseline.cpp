// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"
#include "guidelines/comparison.hpp"
#include "stats/median.hpp"

namespace breakeven::guidelines {

double drift_since(const Problems& problems, const Problems& before) {
  std::vector<double> ratios;
  for (const auto& [problem, candidates] : problems.all()) {
    const stats::CaseTimes* const now = problems.native(problem);
    const stats::CaseTimes* const then = before.native(problem);
    if (now == nullptr || then == nullptr) continue;
    ratios.push_back(stats::estimate(*now).median / stats::estimate(*then).median);
  }
  return ratios.empty() ? 1 : stats::median(std::move(ratios));
}

std::vector<Comparison> by_baseline(const Problems& problems, const Problems& before,
                                    double drift) {
  std::vector<Comparison> comparisons;
  for (const auto& [problem, candidates] : problems.all()) {
    const stats::CaseTimes* const now = problems.native(problem);
    const stats::CaseTimes* const then = before.native(problem);
    if (now == nullptr || then == nullptr) continue;
    stats::CaseTimes drifted = numbered(*then);
    for (auto& [launch, time] : drifted.by_launch) time.value *= drift;
    comparisons.push_back(
        paired(guideline_of(Family::baseline, problem.collective), numbered(*now), drifted));
  }
  return comparisons;
}

}  // namespace breakeven::guidelines
