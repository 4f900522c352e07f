// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernels/algorithm.hpp"

namespace breakeven {

/// The problems with p processes that are to be proven of an algorithm: those that it can run,
/// without parameters and with each that it names as worth trying, from every root up to
/// p = 17 and from three of them above.
[[nodiscard]] std::vector<Problem> problems_to_prove(Collective collective,
                                                     const Algorithm& algorithm, int procs);

/// The roots at p, likewise; 0 for a collective without.
[[nodiscard]] std::vector<Rank> roots_to_prove(Collective collective, int procs);

}  // namespace breakeven
