// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>

namespace breakeven::plan {

struct SweepPlan;

/// One of `of` shards of a sweep, `number` 1 .. of. Each is measured into a database of its own.
struct Shard {
  int number = 1;
  int of = 1;
  friend auto operator<=>(const Shard&, const Shard&) = default;
};

/// Leaves the cases of one shard in the plan. The shards are disjoint and together the whole, and
/// the same plan is always cut the same. What decisions compare within a launch stays together: at
/// one number of processes all candidates of a problem, and the collectives of one vector size,
/// which guidelines set beside each other.
/// @throws UsageError when there is no such shard, or more shards than there is to share.
void keep_shard(SweepPlan& plan, Shard shard);

}  // namespace breakeven::plan
