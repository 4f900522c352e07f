// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/barrier/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::barrier {

namespace {

/// Recursive doubling: in round k each rank and the one 2^k away tell each other what they have
/// heard.
///
///     distance 1   0 <-> 1   2 <-> 3
///     distance 2   0 <-> 2   1 <-> 3
///
/// Needs   any p.
/// Cost    lg p rounds of messages without data; for other p floor(lg p) + 2.
/// Source  [pjesivac2007], recursive doubling.
Schedule build(const Problem& op) {
  const Fold fold{op.procs};
  const Rank partner = Fold::partner(op.me);
  Schedule schedule;
  if (fold.leaves(op.me)) {
    schedule.round({Send{partner, input(0), 0}});
    schedule.round({Recv{partner, output(0), 0}});
    return schedule;
  }
  if (fold.paired(op.me)) schedule.round({Recv{partner, output(0), 0}});
  for (int distance = 1; distance < fold.stay(); distance *= 2) {
    const Rank other = fold.rank(fold.number(op.me) ^ distance);
    schedule.round({Send{other, input(0), 0}, Recv{other, output(0), 0}});
  }
  if (fold.paired(op.me)) schedule.round({Send{partner, input(0), 0}});
  return schedule;
}

Formula formula(const Problem& op) {
  const int stay = Fold{op.procs}.stay();
  return {.rounds = ceil_log2(stay) + (stay < op.procs ? 2 : 0)};
}

}  // namespace

const Algorithm recursive_doubling{.name = "recursive_doubling",
                                   .requirement = kAnyProcs,
                                   .build = build,
                                   .formula = formula,
                                   .formula_text = "floor(lg p) rounds, 2 more where p is no 2^k",
                                   .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::barrier
