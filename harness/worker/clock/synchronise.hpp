// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/worker/clock/global_clock.hpp"

namespace breakeven {

/// Collective. Rank 0's clock, learnt by `method`; rank 0 gets its own. ClockSync::none gives a
/// clock that is not synchronised, without communicating.
/// @param comm  must have no messages under way; those of this function stay within it
/// @throws Error when MPI fails.
[[nodiscard]] GlobalClock synchronise(ClockSync method, const LocalClock& local,
                                      const Communicator& comm);

}  // namespace breakeven
