// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"

namespace breakeven::executor {

/// The schedule with every reduction in the form of MPI_Reduce_local, whose second operand is the
/// result: into == b. Where it is not, the operands change places if they may, or one is copied
/// first; scratch grows by the room that takes.
[[nodiscard]] BoundSchedule with_two_operands(BoundSchedule schedule, const Memory& memory,
                                              bool commutative);

}  // namespace breakeven::executor
