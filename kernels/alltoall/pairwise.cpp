// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/alltoall/algorithms.hpp"

namespace breakeven::kernels::alltoall {

namespace {

/// Pairwise: in each round every rank exchanges a block with one other: where p is a power of two
/// with the rank whose number differs in the bits of the round, else it sends to the rank that many
/// ahead and receives from the rank that many behind.
///
///     round 1   0 <-> 1   2 <-> 3
///     round 2   0 <-> 2   1 <-> 3
///     round 3   0 <-> 3   1 <-> 2
///
/// Needs   any p.
/// Cost    p-1 rounds, (p-1)/p m sent.
/// Source  [thakur2005].
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  schedule.local(Copy{input(op.me.value), output(op.me.value)});
  const bool twins = kPowerOfTwo.met(op.procs);
  for (int i = 1; i < op.procs; ++i) {
    const Rank to = twins ? Rank{op.me.value ^ i} : op.ahead(i);
    const Rank source = twins ? to : op.behind(i);
    schedule.round({Send{to, input(to.value)}, Recv{source, output(source.value)}});
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double rounds = op.procs - 1;
  return {.messages = rounds, .sent = rounds / op.procs};
}

}  // namespace

const Algorithm pairwise{.name = "pairwise",
                         .requirement = kAnyProcs,
                         .build = build,
                         .formula = formula,
                         .formula_text = "(p-1) alpha + (p-1)/p m beta",
                         .source = "[thakur2005]"};

}  // namespace breakeven::kernels::alltoall
