// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// The schedule of `problem.me` with its input copied to scratch before all else and read only
/// there: what a call in place needs when the schedule would read the input after it is
/// overwritten.
[[nodiscard]] Schedule with_input_aside(Schedule schedule, const Problem& problem);

/// The schedule with its output made in scratch and copied to the buffer at the end.
///
/// Messages carry what they did in both, so whether a rank needs one concerns nobody else.
[[nodiscard]] Schedule with_output_aside(Schedule schedule, const Problem& problem);

/// For a rank that gets no result: what the schedule would keep in the output, with room for all
/// blocks, it keeps in scratch.
[[nodiscard]] Schedule without_output(Schedule schedule);

}  // namespace breakeven
