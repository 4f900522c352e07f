// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/elimination.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Two become one: the lower one takes in the third's part before it exchanges with the upper one.
void meet_three(Exchanges& exchanges, Rank me, const Three& ranks) {
  const auto& [lower, third, upper] = ranks;
  if (me == third) {
    exchanges.step({me}, {lower});
    return;
  }
  if (me == lower) exchanges.step({lower, third}, {});
  exchanges.step({lower, upper}, {lower, upper});
}

/// Recursive doubling with 2-1 elimination: where a step has an odd one out, two become one before
/// they take part in it.
///
///     p = 7     0 <-> 1   2 <-> 3     5 -> 4      step 0
///               2 -> 0    3 -> 1      4 <-> 6     step 1 on the left, still step 0 on the right
///               0 <-> 4   1 <-> 6
///               0 -> 2    1 -> 3      4 -> 5      the result
///
/// The steps overlap: after the first elimination the last ranks are a round late, but not more
/// after others, as the ranks that meet them then have eliminated another one meanwhile.
///
/// Keeps rank order, and all ranks reduce alike.
///
/// Needs   any p.
/// Cost    lg p rounds, lg p m sent and reduced; for other p ceil(lg p) rounds until the ranks that
///         are left have the result and one more for those eliminated, ceil(lg p) m sent and
///         reduced.
/// Source  [rabenseifnertraff2004], as [ruefenacht2017], sections 2 and 6.4, describes it; the
///         halved vectors of the former are not in it.
Schedule build(const Problem& op) { return build_with_elimination(op, meet_three); }

}  // namespace

const Algorithm elimination_21{.name = "elimination_21",
                               .requirement = kAnyProcs,
                               .order_preserving = true,
                               .bitwise_identical = true,
                               .build = build,
                               .source = "[rabenseifnertraff2004]; [ruefenacht2017] 6.4"};

}  // namespace breakeven::kernels::allreduce
