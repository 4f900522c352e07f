// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/case.hpp"

namespace breakeven::plan {

/// Consecutive cases of a request, by index: the candidates of one problem.
struct CandidateRange {
  int first = 0;
  int count = 0;
  friend bool operator==(const CandidateRange&, const CandidateRange&) = default;
};

/// Splits the cases where they differ in more than algorithm and parameters; keeps their order.
[[nodiscard]] std::vector<CandidateRange> problems_of(std::span<const Case> cases);

}  // namespace breakeven::plan
