// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/reduce_scatter_block/algorithms.hpp"

namespace breakeven::kernels::reduce_scatter_block {

namespace {

/// Ring: each block travels once around to its rank, every rank on the way adding its part.
///
///     round 0   block me-1   -> me+1,   own part added to block me-2, which arrives
///     round 1   block me-2   -> me+1,   own part added to block me-3     ...
///     the last round's block is the own one
///
/// Needs   any p; a commutative operation.
/// Cost    p-1 rounds, (p-1)/p m sent and reduced.
/// Source  The computation phase of the ring in [ricogallego2014], section III, begun one block
///         earlier so that each rank ends with its own.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {{0, op.procs}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  Location passed = input(op.behind(1).value);
  for (int step = 0; step + 1 < op.procs; ++step) {
    const int block = op.behind(step + 2).value;
    const Location grown = Rank{block} == op.me ? output(0) : scratch(block);
    schedule.round({Send{op.ahead(1), passed}, Recv{op.behind(1), grown}},
                   {Reduce{grown, input(block), grown}});
    passed = grown;
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = p - 1, .sent = (p - 1) / p, .reduced = (p - 1) / p};
}

}  // namespace

const Algorithm ring{.name = "ring",
                     .requirement = kAnyProcs,
                     .build = build,
                     .formula = formula,
                     .formula_text = "(p-1) (alpha + m/p beta + m/p gamma)",
                     .source = "[ricogallego2014] III"};

}  // namespace breakeven::kernels::reduce_scatter_block
