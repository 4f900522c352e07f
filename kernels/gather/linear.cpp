// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"

namespace breakeven::gather {

namespace {

/// Linear: every rank sends its block to the root, which receives them all at once.
///
/// Needs   any p.
/// Cost    1 round, m/p sent by each but the root.
/// Source  The step after the reduce-scatter in Rabenseifner, ICCS 2004, section 2.7.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  if (!op.at_root()) {
    schedule.round({Send{op.root, input(0)}});
    return schedule;
  }
  Round& round = schedule.rounds.emplace_back();
  for (int rank = 0; rank < op.procs; ++rank) {
    if (Rank{rank} != op.me) round.comm.emplace_back(Recv{Rank{rank}, output(rank)});
  }
  schedule.local(Copy{input(0), output(op.me.value)});
  return schedule;
}

Cost cost(const Problem& op) {
  const bool alone = op.procs == 1;
  return {.rounds = alone ? 0 : 1, .sent = alone ? 0.0 : 1.0 / op.procs};
}

}  // namespace

const Algorithm linear{.name = "linear",
                       .needs = kAnyProcs,
                       .build = build,
                       .cost = cost,
                       .source = "Rabenseifner 2004, section 2.7"};

}  // namespace breakeven::gather
