// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/sweep_options.hpp"

namespace breakeven::cli {

/// What stands after -- of `breakeven submit`, read as `breakeven sweep` would; --db may be left
/// out.
/// @throws UsageError when it can't be read so, or says what the job itself says: the budget.
[[nodiscard]] SweepOptions parse_sweep_arguments(const std::vector<std::string>& words);

/// The options that make `breakeven sweep` measure this sweep as `given` has it measured: all but
/// what is left to its defaults, and but --db, --shard and --budget.
[[nodiscard]] std::vector<std::string> sweep_arguments(const plan::Sweep& sweep,
                                                       const SweepOptions& given);

}  // namespace breakeven::cli
