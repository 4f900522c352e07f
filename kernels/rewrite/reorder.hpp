// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// Which role each rank plays in an algorithm: rank r behaves as rank roles[r] would.
///
///     seq   roles in the order of the nodes: neighbours become node mates
///     rr    roles dealt out to the nodes in turn: neighbours become strangers
///     else  a permutation "2,0,1,3": the role of each rank
///
/// For M nodes of Q = p / M processes that is the paper's f_SQ(r) = (r * Q) mod p + r / M on an rr
/// mapping and its inverse f_RR(r) = (r * M) mod p + r / Q on a seq one, and nobody's role changes
/// where the mapping is already so; it extends both to nodes of any sizes in any order.
/// @throws UsageError when the list is no permutation.
/// @see [ricogallego2014], section III.2, equations (1) and (2), and section IV
[[nodiscard]] std::vector<Rank> roles_of(std::string_view how, const Problem& problem);

/// The problem as the role sees it that the rank plays.
[[nodiscard]] Problem in_role(Problem problem, const std::vector<Rank>& roles);

/// Turns the schedule of `in_role(problem, roles)` into one for the rank itself: partners are the
/// ranks that play the roles, and where blocks belong to ranks, each rank's are its own again.
///
/// Runs of blocks that are no longer neighbours then go through a copy of the buffer in scratch;
/// messages carry what they did, so whether a rank needs one concerns nobody else.
[[nodiscard]] Schedule reordered(Schedule schedule, const Problem& problem,
                                 const std::vector<Rank>& roles);

}  // namespace breakeven
