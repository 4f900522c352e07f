// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/rewrite/group.hpp"

#include "kernels/rewrite/steps.hpp"

namespace breakeven {

Schedule on_group(Schedule schedule, std::span<const Rank> members) {
  const auto member = [members](Rank rank) {
    return members[static_cast<std::size_t>(rank.value)];
  };
  for (Round& round : schedule.rounds) {
    for (Comm& comm : round.comm) comm = readdressed(comm, member);
  }
  return schedule;
}

}  // namespace breakeven
