// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/worker/clock/global_clock.hpp"

namespace breakeven {

/// Collective. The model of this rank's clock against rank 0's, learnt along a binomial tree from
/// its leaves to its root. In the round of distance d = 1, 2, 4, ... rank r, an odd multiple of d,
/// fits a line against the own clock of rank r - d, all such pairs at once; then it hands over the
/// models of its subtree, chained to its own. Rank 0 ends with all of them and deals them out.
///
///     0 <- 1   2 <- 3   4 <- 5     d = 1
///     0 <----- 2        4          d = 2
///     0 <-------------- 4          d = 4
[[nodiscard]] ClockModel merged_tree_model(const LocalClock& local, const Communicator& comm);

}  // namespace breakeven
