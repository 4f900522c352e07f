// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "guidelines/candidates.hpp"
#include "guidelines/evaluate.hpp"

namespace breakeven::guidelines {

/// Every group in which a term of the guideline was measured, but no cell could be tested,
/// and which sweeps would change that.
[[nodiscard]] std::vector<Gap> gaps_of(const Outcome& outcome, const FastestCases& candidates);

}  // namespace breakeven::guidelines
