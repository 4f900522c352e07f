// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/barrier/algorithms.hpp"

namespace breakeven::kernels::barrier {

namespace {

/// Double ring: a message goes twice around, from each rank to the next one. After the first turn
/// rank 0 knows that all ranks have arrived; the second turn releases them.
///
/// Needs   any p.
/// Cost    2p - 1 rounds of a message without data.
/// Source  [pjesivac2007], double ring.
Schedule build(const Problem& op) {
  Schedule schedule;
  if (op.procs == 1) return schedule;
  for (int turn = 0; turn < 2; ++turn) {
    const bool ends = turn == 1 && op.me.value == op.procs - 1;
    if (op.me.value != 0) schedule.round({Recv{op.behind(1), output(0), 0}});
    if (!ends) schedule.round({Send{op.ahead(1), input(0), 0}});
    if (op.me.value == 0 && turn == 0) schedule.round({Recv{op.behind(1), output(0), 0}});
  }
  return schedule;
}

Formula formula(const Problem& op) { return {.rounds = op.procs > 1 ? 2.0 * op.procs - 1 : 0}; }

}  // namespace

const Algorithm double_ring{.name = "double_ring",
                            .requirement = kAnyProcs,
                            .build = build,
                            .formula = formula,
                            .formula_text = "2p - 1 rounds",
                            .source = "[pjesivac2007]"};

}  // namespace breakeven::kernels::barrier
