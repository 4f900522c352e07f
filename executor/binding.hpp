// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"
#include "kernels/call.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::executor {

/// Turns blocks into bytes of the call's buffers, and makes the schedule fit their memory: it keeps
/// its input aside where it would read it too late in place, or a buffer whose elements it would
/// cut. What a datatype or an operation means is nothing to it, and neither are `call`'s.
///
/// Of a vector without elements that all ranks know to be empty nothing is left to do.
///
/// @throws Error when the schedule names what its buffers do not hold, or when the sides of a step
///         differ in size.
[[nodiscard]] BoundSchedule bind_schedule(kernels::Schedule schedule,
                                          const kernels::CollectiveCall& call,
                                          const Memory& memory);

}  // namespace breakeven::executor
