// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/order.hpp"

namespace breakeven::plan {

namespace {

bool same_problem(const Case& a, const Case& b) {
  return without_algorithm(a) == without_algorithm(b);
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

}  // namespace breakeven::plan
