// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/elimination.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Three become two: the third sends its part to the other two while these exchange theirs.
void meet_three(Exchanges& exchanges, Rank me, const Three& ranks) {
  const auto& [lower, third, upper] = ranks;
  if (me == third) {
    exchanges.step({me}, {lower, upper});
  } else {
    exchanges.step({lower, third, upper}, {lower, upper});
  }
}

/// Recursive doubling with 3-2 elimination: where a step has an odd one out, three become two in
/// that step, and no rank waits for it.
///
///     p = 7     step 0    0 <-> 1   2 <-> 3   4 <-> 6   5 -> 4, 6
///               step 1    0 <-> 4   1 <-> 6   2 -> 0, 4   3 -> 1, 6
///               result    0 -> 2    1 -> 3    4 -> 5
///
/// Keeps rank order, and all ranks reduce alike.
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds; in each elimination a third sends two messages, and a rank receives
///         two.
/// Source  [rabenseifnertraff2004], as [ruefenacht2017], section 6.4, describes it; the halved
///         vectors of the former are not in it.
Schedule build(const Problem& op) { return build_with_elimination(op, meet_three); }

Formula formula(const Problem& op) { return {.rounds = ceil_log2(op.procs)}; }

}  // namespace

const Algorithm elimination_32{.name = "elimination_32",
                               .requirement = kAnyProcs,
                               .order_preserving = true,
                               .bitwise_identical = true,
                               .build = build,
                               .formula = formula,
                               .formula_text = "ceil(lg p) rounds",
                               .source = "[rabenseifnertraff2004]; [ruefenacht2017] 6.4"};

}  // namespace breakeven::kernels::allreduce
