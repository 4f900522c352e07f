// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "kernels/algorithm.hpp"

namespace breakeven {

/// The algorithms of one collective, in the order in which they are documented.
[[nodiscard]] std::span<const Algorithm* const> catalogue(Collective collective);

/// @throws UsageError naming the known algorithms when `name` is not one of them.
[[nodiscard]] const Algorithm& find_algorithm(Collective collective, std::string_view name);

/// @throws UsageError "allgather/recursive_doubling can't run at p = 3: it needs ..."
void require_procs(Collective collective, const Algorithm& algorithm, int procs);

/// The schedules of all ranks of a problem: world[r] is what rank r does.
/// @throws UsageError when the algorithm refuses `procs`.
[[nodiscard]] std::vector<Schedule> world_of(Collective collective, const Algorithm& algorithm,
                                             int procs, Rank root = {});

}  // namespace breakeven
