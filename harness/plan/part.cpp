// SPDX-License-Identifier: BSD-3-Clause
#include "harness/plan/part.hpp"

#include <fmt/format.h>

#include <iterator>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven {

namespace {

/// What must not be cut: (processes, bytes of the whole vector).
using Share = std::pair<int, std::int64_t>;

Share share_of(const Case& what) { return {what.procs, total_bytes(what).value}; }

}  // namespace

void keep_part(SweepPlan& plan, Part part) {
  if (part.of < 1 || part.number < 1 || part.number > part.of) {
    throw UsageError(fmt::format("part {}/{} asked for; possible: 1/{} to {}/{}", part.number,
                                 part.of, part.of, part.of, part.of));
  }
  if (part.of == 1) return;
  std::set<Share> shares;
  for (const PlannedLaunch& launch : plan.launches) {
    for (const Case& what : launch.cases) shares.insert(share_of(what));
  }
  if (static_cast<std::size_t>(part.of) > shares.size()) {
    throw UsageError(
        fmt::format("{} parts asked for of a sweep with {} pairs of a process count and a vector "
                    "size, which are not cut; at most one part for each",
                    part.of, shares.size()));
  }
  // In turn, in order of size: every part gets its share of the long ones.
  const auto kept = [&](const Case& what) {
    const auto place = std::distance(shares.begin(), shares.find(share_of(what)));
    return place % part.of == part.number - 1;
  };
  for (PlannedLaunch& launch : plan.launches) {
    std::erase_if(launch.cases, [&](const Case& what) { return !kept(what); });
  }
}

}  // namespace breakeven
