// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce_scatter_block/algorithms.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Pairwise exchange: in step i each rank sends the block that rank me+i needs straight from its
/// input, and adds the block that arrives from me-i to its own.
///
/// Needs   any p.
/// Cost    p-1 rounds, (p-1)/p m sent and reduced.
/// Source  [rabenseifner2004], sections 2.2 and 2.7 (increasing strides).
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {ScratchRun{}}, .rounds = {}};
  Location own = input(op.me.value);
  if (op.procs == 1) schedule.local(Copy{own, output(0)});
  for (int stride = 1; stride < op.procs; ++stride) {
    const Rank to = op.ahead(stride);
    schedule.round({Send{to, input(to.value)}, Recv{op.behind(stride), scratch(0)}},
                   {Reduce{scratch(0), own, output(0)}});
    own = output(0);
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = p - 1, .sent = (p - 1) / p, .reduced = (p - 1) / p};
}

}  // namespace

const Algorithm pairwise{.name = "pairwise",
                         .requirement = kAnyProcs,
                         .build = build,
                         .formula = formula,
                         .formula_text = "(p-1) (alpha + m/p beta + m/p gamma)",
                         .source = "[rabenseifner2004] 2.2 and 2.7"};

}  // namespace breakeven::kernels::reduce_scatter_block
