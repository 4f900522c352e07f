// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Direct: each rank sends each other rank its block, all at once, the nearest one ahead first, so
/// that no rank is the first destination of two.
///
///     to     me+1  me+2  ...  me-1
///     from   me-1  me-2  ...  me+1
///
/// Needs   any p.
/// Cost    one round of p-1 messages, (p-1)/p m sent.
/// Source  [bruck1997], the concatenation with p-1 ports; Open MPI's "direct-messaging".
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(0), output(op.me.value)});
  Round& round = schedule.rounds.emplace_back();
  for (int i = 1; i < op.procs; ++i) {
    const Rank source = op.behind(i);
    round.comm.emplace_back(Send{op.ahead(i), input(0)});
    round.comm.emplace_back(Recv{source, output(source.value)});
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double others = op.procs - 1;
  return {.rounds = others > 0 ? 1 : 0, .messages = others, .sent = others / op.procs};
}

}  // namespace

const Algorithm direct{.name = "direct",
                       .requirement = kAnyProcs,
                       .build = build,
                       .formula = formula,
                       .formula_text = "(p-1) alpha + (p-1)/p m beta",
                       .source = "[bruck1997]"};

}  // namespace breakeven::kernels::allgather
