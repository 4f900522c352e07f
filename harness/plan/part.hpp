// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>

namespace breakeven {

struct SweepPlan;

/// One of `of` parts of a sweep, `number` 1 .. of. Each is measured into a database of its own.
struct Part {
  int number = 1;
  int of = 1;
  friend auto operator<=>(const Part&, const Part&) = default;
};

/// Leaves the cases of one part in the plan. The parts are disjoint and together the whole, and the
/// same plan is always cut the same. What decisions compare within a launch stays together: at one
/// number of processes all candidates of a problem, and the collectives of one vector size, which
/// guidelines set beside each other.
/// @throws UsageError when there is no such part, or more parts than there is to share.
void keep_part(SweepPlan& plan, Part part);

}  // namespace breakeven
