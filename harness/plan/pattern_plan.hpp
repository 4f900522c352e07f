// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "harness/plan/sweep.hpp"

namespace breakeven::plan {

/// The patterns (kernels/pattern.hpp) of each size at the sweep's only process count, in each of
/// its launches: with 1, 2, 3, 5 and 8 peers and with all others, as far as there are so many, and
/// where ranks lie on several nodes both in a node and between nodes.
/// @throws UsageError when the sweep has another number of process counts, fewer than two
///         processes, or sizes that can't be measured.
[[nodiscard]] SweepPlan pattern_plan(const Sweep& sweep);

}  // namespace breakeven::plan
