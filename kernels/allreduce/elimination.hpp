// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "kernels/allreduce/exchanges.hpp"
#include "kernels/problem.hpp"

namespace breakeven::kernels::allreduce {

/// Two ranks that reduce their parts, the lower one's first, and perhaps a third whose part lies
/// between theirs and which is eliminated there.
struct Meeting {
  Rank lower{};
  Rank upper{};
  std::optional<Rank> third{};
};

/// The meetings of a rank in a butterfly over any p, up to the one where it is eliminated.
///
/// At level i the ranks that are left form floor(p / 2^i) super-processes of 2^i ranks that have
/// the same part, of neighbouring ranks. Neighbours meet in pairs, rank for rank; where their
/// number is odd, so do the first and the last of the last three, and the second is eliminated.
///
///     p = 7     level 0    0 with 1, 2 with 3, 4 with 6 and 5 as third
///               level 1    of {0 1} {2 3} {4 6}: 0 with 4 and 2 as third, 1 with 6 and 3 as third
///
/// The lower rank of a meeting of three is in the last super-process from then on: never again
/// lower in one, and never eliminated.
[[nodiscard]] std::vector<Meeting> meetings(int procs, Rank me);

/// The ranks of a meeting of three, in the order of their parts.
struct Three {
  Rank lower{};
  Rank third{};
  Rank upper{};
};

/// Appends what rank `me` does in a meeting of three: this is what the eliminations differ in.
using MeetThree = void (*)(Exchanges& exchanges, Rank me, const Three& ranks);

/// The allreduce of these meetings; each third gets the result at the end, from the lower one.
[[nodiscard]] Schedule build_with_elimination(const Problem& op, MeetThree meet_three);

}  // namespace breakeven::kernels::allreduce
