// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "harness/plan/sweep.hpp"

namespace breakeven::plan {

/// The patterns (kernels/pattern.hpp) of each size at the sweep's only process count, in each of
/// its launches: with 1, 2, 3, 5 and 8 peers, if the ranks suffice, and with all others; where
/// ranks lie on several nodes, both in a node and between nodes. In addition, at each size, the
/// algorithms of some collectives, without parameters.
/// @throws UsageError when the sweep has another number of process counts, fewer than two
///         processes, or sizes that can't be measured.
[[nodiscard]] SweepPlan pattern_plan(const Sweep& sweep, std::span<const Collective> collectives);

}  // namespace breakeven::plan
