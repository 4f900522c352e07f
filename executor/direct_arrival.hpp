// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"

namespace breakeven::executor {

/// The schedule with what is received only to be reduced received where the result will be, as far
/// as nothing there is needed any more. Less memory passes through the caches then: one range for
/// two.
///
/// Only of contiguous buffers. Allows for calls in place, whose input lies in the output already.
/// @param commutative  of the operation: else an arrival that is the first operand stays where it
///                     is, since MPI_Reduce_local's result takes the place of the second
[[nodiscard]] BoundSchedule with_direct_arrivals(BoundSchedule schedule, const Memory& memory,
                                                 bool commutative);

}  // namespace breakeven::executor
