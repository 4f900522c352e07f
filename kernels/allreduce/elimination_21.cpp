// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/elimination.hpp"
#include "kernels/fold.hpp"

namespace breakeven::allreduce {

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
/// after others, as whoever meets them then has eliminated somebody meanwhile.
///
/// Keeps rank order, and all ranks reduce alike.
///
/// Needs   any p.
/// Cost    lg p rounds, lg p m sent and reduced; for other p ceil(lg p) rounds until the ranks that
///         are left have the result and one more for those eliminated, ceil(lg p) m sent and
///         reduced.
/// Source  Rabenseifner and Traeff, EuroPVM/MPI 2004, as the recursive multiplying paper, sections
///         2 and 6.4, describes it; their halved vectors are not in it.
Schedule build(const Problem& op) { return build_with_elimination(op, meet_three); }

Cost cost(const Problem& op) {
  const int steps = ceil_log2(op.procs);
  const bool eliminates = (op.procs & (op.procs - 1)) != 0;
  return {.rounds = steps + (eliminates ? 1 : 0), .sent = 1.0 * steps, .reduced = 1.0 * steps};
}

}  // namespace

const Algorithm elimination_21{.name = "elimination_21",
                               .needs = kAnyProcs,
                               .ordered = true,
                               .identical = true,
                               .build = build,
                               .cost = cost,
                               .source = "Rabenseifner and Traeff 2004"};

}  // namespace breakeven::allreduce
