// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Ring: in every round each rank passes on the block that it received in the round before.
///
///     round 0   own block         -> me+1
///     round 1   block of me-1     -> me+1     ...
///
/// Needs   any p.
/// Cost    p-1 rounds, (p-1)/p m sent.
/// Source  [rabenseifner2004], section 2.2; the distribution phase in [ricogallego2014], III.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  for (int step = 0; step + 1 < op.procs; ++step) {
    const Rank passed = op.behind(step);
    schedule.round({Send{op.ahead(1), step == 0 ? input(0) : output(passed.value)},
                    Recv{op.behind(1), output(op.behind(step + 1).value)}});
    if (step == 0) schedule.local(Copy{input(0), output(op.me.value)});
  }
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = p - 1, .sent = (p - 1) / p};
}

}  // namespace

const Algorithm ring{.name = "ring",
                     .requirement = kAnyProcs,
                     .build = build,
                     .formula = formula,
                     .formula_text = "(p-1) (alpha + m/p beta)",
                     .source = "[rabenseifner2004] 2.2; [ricogallego2014] III"};

}  // namespace breakeven::kernels::allgather
