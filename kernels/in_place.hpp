// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/schedule.hpp"

namespace breakeven {

/// Whether the schedule may be run with its input lying in its output: it never reads a block of
/// the input once it has written, or while it receives, the block of the output in the same place.
/// @param input_begin  the block of the output at which block 0 of the input lies
[[nodiscard]] bool safe_in_place(const Schedule& schedule, int input_begin = 0);

}  // namespace breakeven
