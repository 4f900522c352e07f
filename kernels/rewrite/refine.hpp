// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/schedule.hpp"

namespace breakeven {

/// The same schedule with every block cut into `parts`: what it takes for two schedules to be put
/// together that cut the vector differently.
[[nodiscard]] Schedule refine(Schedule schedule, int parts);

}  // namespace breakeven
