// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/schedule.hpp"

namespace breakeven {

/// For a rank that gets no result: what the schedule would keep in the output, with room for all
/// blocks, it keeps in scratch.
[[nodiscard]] Schedule with_output_aside(Schedule schedule);

}  // namespace breakeven
