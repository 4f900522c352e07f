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

/// Keeps the cases of one shard in the plan. The shards are disjoint and together the whole, and
/// the same plan is always cut in the same way. Cases that are compared within a launch stay
/// together: at one number of processes all candidates of a problem, and the collectives of one
/// vector size, which guidelines compare.
/// @throws UsageError when there is no such shard, or when shards would be empty.
void keep_shard(SweepPlan& plan, Shard shard);

}  // namespace breakeven::plan
