// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "kernels/schedule.hpp"

namespace breakeven {

/// Runs a schedule for ranks 0 .. n-1 among others: rank i of it is `members[i]`. Its blocks stay
/// what they are, so this is for collectives whose blocks don't belong to ranks.
[[nodiscard]] Schedule on_group(Schedule schedule, std::span<const Rank> members);

}  // namespace breakeven
