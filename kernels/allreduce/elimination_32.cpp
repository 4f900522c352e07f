// SPDX-License-Identifier: BSD-3-Clause
#include <bit>

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/elimination.hpp"
#include "kernels/fold.hpp"

namespace breakeven::allreduce {

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
/// that step, and nobody waits for it.
///
///     p = 7     step 0    0 <-> 1   2 <-> 3   4 <-> 6   5 -> 4, 6
///               step 1    0 <-> 4   1 <-> 6   2 -> 0, 4   3 -> 1, 6
///               result    0 -> 2    1 -> 3    4 -> 5
///
/// Keeps rank order, and all ranks reduce alike.
///
/// Needs   any p.
/// Cost    lg p rounds, lg p m sent and reduced; for other p ceil(lg p) rounds and m sent, with
///         floor(lg p) + e m reduced by the last rank in e = (ones among p's binary digits) - 1
///         eliminations. The rounds are the source's bound, but a third sends two messages in one:
///         through one port at a time it takes floor(lg p) + e + 1. In the original a third gives
///         each of the two only half of its vector, and beforehand.
/// Source  Rabenseifner and Traeff, EuroPVM/MPI 2004, as the recursive multiplying paper, section
///         6.4, describes it.
Schedule build(const Problem& op) { return build_with_elimination(op, meet_three); }

Cost cost(const Problem& op) {
  const auto p = static_cast<unsigned>(op.procs);
  const auto exchanges = static_cast<int>(std::bit_width(p)) - 1;
  const int eliminations = std::popcount(p) - 1;
  return {.rounds = ceil_log2(op.procs),
          .sent = 1.0 * ceil_log2(op.procs),
          .reduced = 1.0 * (exchanges + eliminations)};
}

}  // namespace

const Algorithm elimination_32{.name = "elimination_32",
                               .needs = kAnyProcs,
                               .ordered = true,
                               .identical = true,
                               .build = build,
                               .cost = cost,
                               .source = "Rabenseifner and Traeff 2004"};

}  // namespace breakeven::allreduce
