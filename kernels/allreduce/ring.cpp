// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/algorithms.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// Ring: p-1 rounds carry each block once around, every rank adding its part; p-1 more rounds
/// carry the finished blocks around.
///
///     reduce     block me-k    -> me+1,  own part added to block me-k-1
///     gather     block me+1-k  -> me+1,  block me-k arrives finished
///
/// Needs   any p.
/// Cost    2(p-1) rounds, 2(p-1)/p m sent, (p-1)/p m reduced.
/// Source  [ricogallego2014], section III: 2(p-1) stages of m/p each.
Schedule build(const Problem& op) {
  Schedule schedule{.blocks = op.procs, .scratch = {ScratchRun{}}, .rounds = {}};
  if (op.procs == 1) schedule.local(Copy{input(0), output(0)});
  for (int step = 0; step + 1 < op.procs; ++step) {
    const int passed = op.behind(step).value;
    const int grown = op.behind(step + 1).value;
    schedule.round({Send{op.ahead(1), step == 0 ? input(passed) : output(passed)},
                    Recv{op.behind(1), scratch(0)}},
                   {Reduce{scratch(0), input(grown), output(grown)}});
  }
  for (int step = 0; step + 1 < op.procs; ++step) {
    schedule.round({Send{op.ahead(1), output(op.behind(step - 1 + op.procs).value)},
                    Recv{op.behind(1), output(op.behind(step).value)}});
  }
  return schedule;
}

Formula formula(const Problem& op) {
  const double p = op.procs;
  return {.messages = 2 * (p - 1), .sent = 2 * (p - 1) / p, .reduced = (p - 1) / p};
}

}  // namespace

const Algorithm ring{.name = "ring",
                     .requirement = kAnyProcs,
                     .bitwise_identical = true,
                     .segments = true,
                     .build = build,
                     .formula = formula,
                     .formula_text = "2 (p-1) (alpha + m/p beta) + (p-1)/p m gamma",
                     .source = "[ricogallego2014] III"};

}  // namespace breakeven::kernels::allreduce
