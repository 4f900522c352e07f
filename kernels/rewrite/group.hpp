// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "kernels/rewrite/steps.hpp"
#include "kernels/schedule.hpp"

namespace breakeven {

/// Runs a schedule for ranks 0 .. n-1 among others: rank i of it is `member(i)`. Its blocks stay
/// what they are, so this is for collectives whose blocks don't belong to ranks.
template <std::invocable<Rank> Member>
[[nodiscard]] Schedule on_group(Schedule schedule, const Member& member) {
  for (Round& round : schedule.rounds) {
    for (Comm& comm : round.comm) comm = readdressed(comm, member);
  }
  return schedule;
}

}  // namespace breakeven
