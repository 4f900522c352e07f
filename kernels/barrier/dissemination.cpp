// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/barrier/algorithms.hpp"
#include "kernels/fold.hpp"

namespace breakeven::kernels::barrier {

namespace {

/// Dissemination: in round k each rank tells the one 2^k ahead what it has heard so far, so that
/// after round k it knows of the 2^(k+1) - 1 ranks behind it.
///
/// Needs   any p.
/// Cost    ceil(lg p) rounds of messages without data.
/// Source  [hensgen1988]; as cited in [ruefenacht2017], section 7.
Schedule build(const Problem& op) {
  Schedule schedule;
  for (int distance = 1; distance < op.procs; distance *= 2) {
    schedule.round(
        {Send{op.ahead(distance), input(0), 0}, Recv{op.behind(distance), output(0), 0}});
  }
  return schedule;
}

Formula formula(const Problem& op) { return {.rounds = ceil_log2(op.procs)}; }

}  // namespace

const Algorithm dissemination{.name = "dissemination",
                              .requirement = kAnyProcs,
                              .build = build,
                              .formula = formula,
                              .formula_text = "ceil(lg p) rounds",
                              .source = "[hensgen1988]; [ruefenacht2017] 7"};

}  // namespace breakeven::kernels::barrier
