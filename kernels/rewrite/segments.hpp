// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/schedule.hpp"

namespace breakeven {

/// Pipelines a schedule whose blocks don't belong to ranks: the vector is cut into `segments`
/// pieces, the schedule is run on each, and every piece starts one round after the one before, so
/// that one segment is on its way while another is reduced.
///
/// It needs a schedule in which the two sides of every message are as far into their rounds as each
/// other, or one is never in the way of the other (a tree): the verifier tells.
///
/// Round t does what the schedule does in round t - s for each segment s, first segments first.
[[nodiscard]] Schedule segmented(const Schedule& schedule, int segments);

}  // namespace breakeven
