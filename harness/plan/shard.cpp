// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <iterator>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven::plan {

namespace {

/// The cases of one shard have these in common: (processes, bytes of the whole vector).
using Share = std::pair<int, std::int64_t>;

Share share_of(const Case& what) { return {what.procs, total_bytes(what).value}; }

}  // namespace

void keep_shard(SweepPlan& plan, Shard shard) {
  if (shard.of < 1 || shard.number < 1 || shard.number > shard.of) {
    throw UsageError(fmt::format("shard {}/{} asked for; possible: 1/{} to {}/{}", shard.number,
                                 shard.of, shard.of, shard.of, shard.of));
  }
  if (shard.of == 1) return;
  std::set<Share> shares;
  for (const PlannedLaunch& launch : plan.launches) {
    for (const Case& what : launch.cases) shares.insert(share_of(what));
  }
  if (static_cast<std::size_t>(shard.of) > shares.size()) {
    throw UsageError(
        fmt::format("{} shards asked for of a sweep with {} pairs of a process count and a vector "
                    "size, which are not cut; at most one shard for each",
                    shard.of, shares.size()));
  }
  // In turn, in order of size: every shard gets its share of the long ones.
  const auto kept = [&](const Case& what) {
    const auto place = std::distance(shares.begin(), shares.find(share_of(what)));
    return place % shard.of == shard.number - 1;
  };
  for (PlannedLaunch& launch : plan.launches) {
    std::erase_if(launch.cases, [&](const Case& what) { return !kept(what); });
  }
}

}  // namespace breakeven::plan
