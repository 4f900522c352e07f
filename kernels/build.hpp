// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/algorithm.hpp"

namespace breakeven::kernels {

/// Parameters that rewrite the schedule of an algorithm instead of being its own. Algorithms
/// take those that their rows say.
inline constexpr Param kReorderRanks{"reorder_ranks",
                                     "the mapping in whose rank order to run, seq or rr; or a "
                                     "permutation of the ranks, 2,0,1 [none]"};
inline constexpr Param kSegments{"segments", "number of pieces of the vector to pipeline [1]"};

/// The parameters that an algorithm takes, with those of the rewrites.
[[nodiscard]] std::vector<Param> params_of(const Algorithm& algorithm);

/// "any p; stages, if given, that make p": of the number of processes, then of the parameters.
[[nodiscard]] std::string requirement_text(const Algorithm& algorithm);

/// @throws UsageError naming the parameters that it takes when this is none of them.
void require_takes(const Algorithm& algorithm, std::string_view key);

/// Whether the algorithm can run the problem, its parameters included.
/// @throws UsageError on a parameter that it does not take or that can't be understood.
[[nodiscard]] bool runs(const Algorithm& algorithm, const Problem& problem);

/// @throws UsageError "allgather/recursive_doubling can't run at p = 3: it needs ...", or as `runs`
void require_runs(const Algorithm& algorithm, const Problem& problem);

/// The algorithm's schedule for rank `problem.me`, pipelined and reordered as its parameters ask
/// for.
/// @pre runs(algorithm, problem)
[[nodiscard]] Schedule build_schedule(const Algorithm& algorithm, const Problem& problem);

/// The schedules of all ranks of a problem, whose `me` is ignored: world[r] is what rank r does.
/// @throws UsageError as `require_runs`.
[[nodiscard]] std::vector<Schedule> world_of(const Algorithm& algorithm, Problem problem);

/// The parameters worth trying of an algorithm at p, besides none: its own, then numbers of
/// segments where it can be pipelined. Each is a text for Params::parse.
[[nodiscard]] std::vector<std::string> variants_of(const Algorithm& algorithm, int procs);

/// The problems with p processes that are to be proven of an algorithm: those that it can run,
/// without parameters and with its own `variants`, all of these up to p = 16 and at most eight
/// above, from every root up to p = 17 and from three of them above.
[[nodiscard]] std::vector<Problem> problems_to_prove(Collective collective,
                                                     const Algorithm& algorithm, int procs);

/// The roots at p, likewise; 0 for a collective without.
[[nodiscard]] std::vector<Rank> roots_to_prove(Collective collective, int procs);

}  // namespace breakeven::kernels
