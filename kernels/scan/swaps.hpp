// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernels/problem.hpp"

namespace breakeven::kernels::scan {

/// A round of recursive doubling: two ranks swap the combinations of their groups.
struct Swap {
  Rank twin{};
  bool upper = false;  ///< this rank's group follows the twin's
  bool last = false;   ///< of this rank: the joined group's combination is not sent on
};

/// Those of the problem's rank, the smallest groups first. Where p cuts a group in two, its missing
/// ranks would only be followed by other missing ones: their twins pass over that round.
[[nodiscard]] inline std::vector<Swap> swaps_of(const Problem& problem) {
  std::vector<Swap> swaps;
  for (int distance = 1; distance < problem.procs; distance *= 2) {
    const Rank twin{problem.me.value ^ distance};
    if (twin.value < problem.procs) swaps.push_back({twin, twin < problem.me});
  }
  if (!swaps.empty()) swaps.back().last = true;
  return swaps;
}

}  // namespace breakeven::kernels::scan
