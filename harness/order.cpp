// SPDX-License-Identifier: BSD-3-Clause
#include "harness/order.hpp"

#include <algorithm>

#include "kernels/problem.hpp"

namespace breakeven {

namespace {

bool same_problem(Case a, Case b) {
  a.algorithm = b.algorithm;
  a.params = b.params;
  return a == b;
}

}  // namespace

std::vector<CandidateRange> problems_of(std::span<const Case> cases) {
  std::vector<CandidateRange> problems;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i == 0 || !same_problem(cases[i - 1], cases[i])) {
      problems.push_back({.first = static_cast<int>(i)});
    }
    ++problems.back().count;
  }
  return problems;
}

int samples_wanted(const MeasurePlan& plan, Seconds per_sample) {
  const double in_budget = plan.case_budget.value / per_sample.value;
  // Compared as doubles: a budget of many fast calls is more than an int holds.
  if (!(in_budget < plan.repetitions)) return plan.repetitions;
  return std::max(std::min(plan.least, plan.repetitions), static_cast<int>(in_budget));
}

int samples_in_block(const MeasurePlan& plan, int wanted, int block) {
  return static_cast<int>(first_element(wanted, plan.interleave, block + 1) -
                          first_element(wanted, plan.interleave, block));
}

}  // namespace breakeven
