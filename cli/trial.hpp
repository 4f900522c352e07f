// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/sweep.hpp"
#include "tuner/proof.hpp"
#include "tuner/table.hpp"

namespace breakeven {

/// What to try a table on, beside what it was made from.
struct Trial {
  std::vector<int> procs{};       ///< none: see problems_of_trial
  std::vector<Bytes> messages{};  ///< none: likewise
  int launches = 10;
  std::uint64_t seed = 1;
};

/// The problems on which a table is tried: each collective under each mapping that it knows, with
/// the counts that sweeps measure unless told otherwise, at sizes half way, by ratio, between
/// powers of two, which sweeps don't measure. Of process counts those that it knows, and on one
/// node also one between each two neighbours and one beyond.
/// @throws UsageError when a number of processes asked for doesn't fill the nodes.
[[nodiscard]] std::vector<Case> problems_of_trial(const Table& table, const Trial& trial);

/// Launches in which each problem is solved by default and with each table that it is tried with,
/// but for those where that is the same call.
/// @param beside_default  what a table in force for whole jobs (kTuned) makes of a problem stands
/// in
///                        one launch with the default, in turns; else in two, which follow each
///                        other in an order drawn anew each time
[[nodiscard]] Plan plan_of_trial(std::span<const TriedProblem> problems, const Trial& trial,
                                 bool beside_default);

}  // namespace breakeven
