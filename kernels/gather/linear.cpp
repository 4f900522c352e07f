// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gather/algorithms.hpp"

namespace breakeven::kernels::gather {

namespace {

/// Linear: every rank sends its block to the root, which receives them all at once.
///
/// Needs   any p.
/// Cost    1 round of p-1 messages, (p-1)/p m received (by the root).
/// Source  The step after the reduce-scatter in [rabenseifner2004], section 2.7.
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

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = p - 1,
          .sent = (p - 1) / p,
          .one_way_messages = p - 1,
          .one_way_sent = (p - 1) / p};
}

}  // namespace

const Algorithm linear{.name = "linear",
                       .requirement = kAnyProcs,
                       .build = build,
                       .formula = formula,
                       .formula_text = "(p-1) (fa alpha + fb m/p beta)",
                       .source = "[rabenseifner2004] 2.7"};

}  // namespace breakeven::kernels::gather
