// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allgather/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::allgather {

namespace {

/// Recursive doubling: groups of 1, 2, 4, ... ranks swap all that they have with their twin group.
///
///     size = 1   0 <-> 1   2 <-> 3      1 block each way
///     size = 2   0 <-> 2   1 <-> 3      2 blocks each way
///
/// Needs   p a power of two.
/// Cost    lg p rounds, (p-1)/p m sent.
/// Source  [traff2023], Table I (butterfly). Distances are doubled, so that every group's blocks
///         are neighbours in rank order; [rabenseifner2004], section 2.5, halves them.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {}, .rounds = {}};
  const int me = op.me.value;
  schedule.local(Copy{input(0), output(me)});
  for (int size = 1; size < op.procs; size *= 2) {
    const int mine =
        me & ~(size - 1);  // first rank of my group; the twin group's differs in one bit
    schedule.round({Send{Rank{me ^ size}, output(mine), size},
                    Recv{Rank{me ^ size}, output(mine ^ size), size}});
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = ceil_log2(op.procs), .sent = (p - 1) / p};
}

}  // namespace

const Algorithm recursive_doubling{.name = "recursive_doubling",
                                   .requirement = kPowerOfTwo,
                                   .build = build,
                                   .formula = formula,
                                   .formula_text = "lg p alpha + (p-1)/p m beta",
                                   .source = "[traff2023] Table I, butterfly"};

}  // namespace breakeven::kernels::allgather
