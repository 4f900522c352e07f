// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/worker/clock/global_clock.hpp"

namespace breakeven {

/// Collective. The model of this rank's clock against rank 0's with an offset measured anew, by
/// exchanging messages with rank 0 in turn; its drift stays.
[[nodiscard]] ClockModel with_offset_in_turn(ClockModel model, const LocalClock& local,
                                             const Communicator& comm);

}  // namespace breakeven
