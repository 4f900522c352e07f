// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "executor/bound_schedule.hpp"
#include "executor/memory.hpp"

namespace breakeven::executor {

/// The schedule of a call in place as `memory` says: with the input where it lies in the output
/// buffer, so that copies from a place to itself fall away, or without writing an unwanted output.
/// The schedule itself of a call that is not in place.
///
/// What counts is which bytes really overlap. Nothing when the schedule would read input that it
/// has overwritten or is just receiving over, or needs the output that is unwanted.
[[nodiscard]] std::optional<BoundSchedule> fitted_in_place(BoundSchedule schedule,
                                                           const Memory& memory);

}  // namespace breakeven::executor
